// Words as one line that a shell reads as the very same words. Pure.

const plain = /^[A-Za-z0-9_@%+:,./-]+$/;

export function shellLine(words: string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (plain.test(word)) return word;
  if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  // A terminal acts on control characters before any shell reads them.
  return `$'${word.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, escaped)}'`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
