// Text of strangers (tools, models) as it is: characters that one cannot see, or that turn the order of others round,
// become marks. Pure functions.

export interface Piece {
  text: string;
  mark: boolean; // stands for a character that cannot be seen
}

// Control, format, line separating and ignorable characters and lone surrogates, but for newline, tab, and the joiners
// that belong to an emoji.
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const inEmoji = new RegExp(
  [
    '(?<=[\\p{Extended_Pictographic}])\\ufe0f',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  ].join('|'),
  'gu',
);
const MOST_MARKS = 2000; // of a text; what is beyond stays plain text with the same words

export function visiblePieces(text: string): Piece[] {
  const emoji = new Set([...text.matchAll(inEmoji)].map((match) => match.index));
  const pieces: Piece[] = [];
  let plain = '';
  let marks = 0;
  let from = 0;
  for (const match of text.matchAll(unseen)) {
    if (emoji.has(match.index)) continue;
    plain += text.slice(from, match.index);
    from = match.index + match[0].length;
    if (++marks > MOST_MARKS) {
      plain += nameOf(match[0]);
      continue;
    }
    if (plain !== '') pieces.push({ text: plain, mark: false });
    plain = '';
    pieces.push({ text: nameOf(match[0]), mark: true });
  }
  plain += text.slice(from);
  if (plain !== '') pieces.push({ text: plain, mark: false });
  return pieces;
}

// In one string, where there is no room for marks.
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join('');
}

const short: Record<number, string> = { 0: 'NUL', 7: 'BEL', 8: 'BS', 13: 'CR', 27: 'ESC', 127: 'DEL' };

function nameOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `[${short[point] ?? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`}]`;
}
