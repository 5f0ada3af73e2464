import { expect, test } from 'vitest';
import { splitBlocks } from './split_blocks';

test('splits paragraphs, headings and fences', () => {
  const text = 'One.\n\n# Two\n\n```py\na\n\nb\n```\n\nThree';
  expect(splitBlocks(text)).toEqual(['One.\n\n', '# Two\n\n', '```py\na\n\nb\n```\n\n', 'Three']);
});

test('keeps loose lists, quotes and tables whole', () => {
  for (const text of ['- a\n\n- b\n\n  more\n', '1. a\n\n2. b\n', '> a\n\n> b\n', '| a |\n\n| b |\n']) {
    expect(splitBlocks(text)).toEqual([text]);
  }
});

test('an open fence swallows the rest; a longer one is closed only by its like', () => {
  expect(splitBlocks('````\n```\n\ntext\n\nmore').length).toBe(1);
  expect(splitBlocks('~~~\n```\n~~~\n\nafter')).toEqual(['~~~\n```\n~~~\n\n', 'after']);
});

test('joined blocks are the text, and finished ones never change as it grows', () => {
  const text = 'A\n\n- x\n- y\n\nB\n\n```c\nint a;\n\nint b;\n```\nC\n\n> q\n\n\n\nD';
  let before: string[] = [];
  for (let n = 0; n <= text.length; n++) {
    const blocks = splitBlocks(text.slice(0, n));
    expect(blocks.join('')).toBe(text.slice(0, n));
    expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    before = blocks;
  }
});
