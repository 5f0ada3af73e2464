// Splits growing Markdown into top-level blocks, so that only the last one has to be parsed again while text streams
// in. A border is a blank line outside a fence, in front of a line that cannot belong to the block before it.
// Pure and linear; the blocks joined are the text.

const fence = /^ {0,3}(`{3,}|~{3,})/;
const continuesBlock = /^(?:\s|[-*+] |\d{1,9}[.)] |>|\|)/; // list items, indented text, quotes, table rows
const mayBecomeItem = /^(?:[-*+]|\d{1,9}[.)]?)$/;

export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  let at = 0;
  let openFence = '';
  let blankBefore = false;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end + 1;
    const line = text.slice(at, next);
    if (openFence === '' && blankBefore && at > start && isBorder(line)) {
      blocks.push(text.slice(start, at));
      start = at;
    }
    openFence = fenceAfter(line, openFence);
    blankBefore = openFence === '' && line.trim() === '';
    at = next;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
}

// A line that has not ended yet may still become a list item: it decides nothing.
function isBorder(line: string): boolean {
  return line.trim() !== '' && !continuesBlock.test(line) && !mayBecomeItem.test(line);
}

// The fence that is open after this line ('' when none).
function fenceAfter(line: string, open: string): string {
  const marker = fence.exec(line)?.[1];
  if (open === '') return marker ?? '';
  const closes = marker !== undefined && marker.startsWith(open) && line.trim() === marker;
  return closes ? '' : open;
}
