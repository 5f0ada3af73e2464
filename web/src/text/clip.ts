// The beginning, or the end, of a long text. Pure; never cuts a surrogate pair.

const WIDEST = 100; // characters that count as one line

export function clip(text: string, lines: number): string {
  let end = Math.min(text.length, lines * WIDEST);
  let seen = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    if (++seen === lines) end = at;
  }
  return text.slice(0, isHigh(text, end - 1) ? end - 1 : end);
}

export function tail(text: string, lines: number): string {
  let begin = Math.max(0, text.length - lines * WIDEST);
  let seen = 0;
  for (let at = text.lastIndexOf('\n'); at >= begin && at > 0; at = text.lastIndexOf('\n', at - 1)) {
    if (++seen === lines) begin = at + 1;
  }
  return text.slice(isHigh(text, begin - 1) ? begin + 1 : begin);
}

function isHigh(text: string, at: number): boolean {
  const unit = at >= 0 && at + 1 < text.length ? text.charCodeAt(at) : 0;
  return unit >= 0xd800 && unit < 0xdc00;
}
