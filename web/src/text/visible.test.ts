import { expect, test } from 'vitest';
import { visiblePieces, visibleText } from './visible';

test('plain text of any script stays as it is', () => {
  for (const text of [
    '',
    'ls -l\n\tx',
    'Grüße, 世界, سلام, हिन्दी',
    '👩‍👩‍👧 ❤️ 👍🏽 🇩🇪 1️⃣ ❤️‍🔥',
    'e\u0301 \u00a0 \u3000',
  ])
    expect(visibleText(text)).toBe(text);
});

test('what cannot be seen gets a mark of its own', () => {
  expect(visiblePieces('a\u202eb')).toEqual([
    { text: 'a', mark: false },
    { text: '[U+202E]', mark: true },
    { text: 'b', mark: false },
  ]);
  expect(visibleText('\0\x07\x1b[31m\r\x7f\x85')).toBe('[NUL][BEL][ESC][31m[CR][DEL][U+0085]');
});

test('no bidirectional, zero-width, tag or separator character gets through', () => {
  const hidden = [
    ...[0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x2028, 0x2029, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0xd800, 0xdc00],
    ...Array.from({ length: 5 }, (_, i) => 0x200b + i),
    ...Array.from({ length: 5 }, (_, i) => 0x202a + i),
    ...Array.from({ length: 16 }, (_, i) => 0x2060 + i),
    ...Array.from({ length: 96 }, (_, i) => 0xe0020 + i),
  ];
  for (const point of hidden) {
    const name = `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`;
    expect(visibleText(`a${String.fromCodePoint(point)}b`)).toBe(`a${name}b`);
  }
});

test('a joiner or a selector that belongs to no emoji is marked', () => {
  expect(visibleText('rm\u200d -rf')).toBe('rm[U+200D] -rf');
  expect(visibleText('x\ufe0f 7\ufe0f')).toBe('x[U+FE0F] 7[U+FE0F]');
  expect(visibleText('❤\ufe0f\ufe0f\u200d\u200d!')).toBe('❤\ufe0f[U+FE0F][U+200D][U+200D]!');
});

test('a text full of them ends in few elements and loses nothing', () => {
  const pieces = visiblePieces('\x1b'.repeat(100_000));
  expect(pieces.length).toBeLessThan(3000);
  expect(pieces.map((p) => p.text).join('')).toBe('[ESC]'.repeat(100_000));
});
