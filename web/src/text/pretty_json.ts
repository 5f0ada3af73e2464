// JSON text with line breaks and indentation. Works on the text: numbers, escapes and doubled keys stay as they were
// written, which JSON.parse would lose. Pure.

const WIDE = 72; // characters; what is shorter stays on one line
const DEEPEST = 40;

// Null when the text is not one complete JSON value, or is nested too deep to be read anyway.
export function prettyJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  const line = onOneLine(tokens);
  return line.length <= WIDE ? line : onLines(tokens);
}

function onOneLine(tokens: string[]): string {
  return tokens.map((token) => (token === ',' || token === ':' ? `${token} ` : token)).join('');
}

function onLines(tokens: string[]): string | null {
  const parts: string[] = [];
  let depth = 0;
  const newLine = () => parts.push('\n', '  '.repeat(depth));
  for (const [index, token] of tokens.entries()) {
    const closes = token === '}' || token === ']';
    const empty = closes && (tokens[index - 1] === '{' || tokens[index - 1] === '[');
    if (closes) depth--;
    if (closes && !empty) newLine();
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') {
      if (++depth > DEEPEST) return null;
      if (tokens[index + 1] !== '}' && tokens[index + 1] !== ']') newLine();
    } else if (token === ',') newLine();
  }
  return parts.join('');
}
