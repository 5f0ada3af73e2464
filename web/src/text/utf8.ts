// The protocol counts UTF-8 bytes, JavaScript counts UTF-16 units. Pure functions.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // U+FEFF is text here

export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

// The text without its first `bytes` bytes. Null when they end inside a character.
export function dropUtf8Bytes(text: string, bytes: number): string | null {
  if (bytes <= 0) return text;
  const encoded = encoder.encode(text);
  if (bytes >= encoded.length) return bytes === encoded.length ? '' : null;
  if (((encoded[bytes] ?? 0) & 0xc0) === 0x80) return null;
  return decoder.decode(encoded.subarray(bytes));
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
