import { expect, test } from 'vitest';
import { clip, tail } from './clip';

const whole = (text: string) => !/\p{Cs}/u.test(text); // no half of a surrogate pair

test('short text stays whole', () => {
  for (const text of ['', 'a', 'a\nb\n', 'x'.repeat(300), '👍'])
    expect([clip(text, 3), tail(text, 3)]).toEqual([text, text]);
});

test('cuts behind so many lines, and before the last ones', () => {
  expect(clip('a\nb\nc\nd', 2)).toBe('a\nb');
  expect(tail('a\nb\nc\nd', 2)).toBe('c\nd');
  expect(clip('\n\n\n\n', 2)).toBe('\n');
});

test('a line without end is cut too', () => {
  expect(clip('x'.repeat(1000), 2)).toBe('x'.repeat(200));
  expect(tail('y' + 'x'.repeat(1000), 2)).toBe('x'.repeat(200));
});

test('a character is never cut in two', () => {
  const text = 'a' + '👍'.repeat(300);
  for (const part of [clip(text, 1), tail(text, 1)]) expect(whole(part)).toBe(true);
  const even = '👍'.repeat(300) + 'a';
  for (const part of [clip(even, 1), tail(even, 1)]) expect(whole(part)).toBe(true);
});
