// One Markdown block as an element, ready to be put into the page: sanitised, code blocks and tables dressed.
import { codeBlock } from './code_block';
import { renderMarkdown } from './render';
import { sanitise } from './sanitise';

// `closed`: more text will not change this block.
export function blockElement(block: string, closed: boolean): DocumentFragment {
  const fragment = sanitise(renderMarkdown(block));
  for (const pre of fragment.querySelectorAll('pre')) {
    const code = pre.textContent ?? '';
    pre.replaceWith(codeBlock(code, pre.getAttribute('data-language') ?? '', closed));
  }
  for (const table of fragment.querySelectorAll('table')) {
    const frame = document.createElement('div');
    frame.className = 'table';
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  return fragment;
}
