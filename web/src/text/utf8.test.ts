import { expect, test } from 'vitest';
import { dropUtf8Bytes, utf8Length } from './utf8';

const samples = ['', 'abc', 'naïve', '日本語', '👩‍👩‍👧 ok', 'a\u{10FFFF}b', '\ud800 lone'];

test('counts as an encoder does', () => {
  for (const text of samples) expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
});

test('drops whole characters and refuses to cut one', () => {
  expect(dropUtf8Bytes('日本語', 3)).toBe('本語');
  expect(dropUtf8Bytes('日本語', 0)).toBe('日本語');
  expect(dropUtf8Bytes('日本語', 9)).toBe('');
  expect(dropUtf8Bytes('日本語', 4)).toBeNull();
  expect(dropUtf8Bytes('👍x', 4)).toBe('x');
  expect(dropUtf8Bytes('abc', 10)).toBeNull();
  expect(dropUtf8Bytes('a\ufeffb', 1)).toBe('\ufeffb');
});
