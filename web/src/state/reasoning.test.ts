import { expect, test } from 'vitest';
import { call, message } from '../testing/frames';
import { takeApart } from './reasoning';

const answer = (text: string, changes = {}) => message('a', { role: 'assistant', text, ...changes });
const growing = (text: string) => answer(text, { status: 'streaming' });

test('an answer without reasoning is all text', () => {
  for (const text of ['', 'Yes.', 'Tags like <think> are text.', '<thing>'])
    expect(takeApart(answer(text))).toEqual({ reasoning: null, text, thinking: false });
});

test('reasoning stands apart from the answer', () => {
  expect(takeApart(answer('<think>\nHm.\n</think>\n\nYes.'))).toEqual({
    reasoning: 'Hm.',
    text: 'Yes.',
    thinking: false,
  });
  expect(takeApart(answer('<think>a</think>\n\nb</think>\n\nc')).text).toBe('b</think>\n\nc');
});

test('reasoning of white space is none', () => {
  expect(takeApart(answer('<think>\n\n</think>\n\nYes.')).reasoning).toBeNull();
});

test('while it comes there is no answer yet', () => {
  expect(takeApart(growing('<think>Hm'))).toEqual({ reasoning: 'Hm', text: '', thinking: true });
  expect(takeApart(growing('<think>'))).toEqual({ reasoning: '', text: '', thinking: true });
});

test('pieces of a mark are never shown, wherever the text is cut', () => {
  const whole = '<think>Is 1 < 2?</think>\n\nYes.';
  for (let length = 1; length <= whole.length; length++) {
    const { reasoning, text } = takeApart(growing(whole.slice(0, length)));
    expect('Is 1 < 2?'.startsWith(reasoning ?? '')).toBe(true);
    expect('Yes.'.startsWith(text)).toBe(true);
  }
});

test('what was cut in its reasoning, or called at once, has no answer', () => {
  const cut = { reasoning: 'Hm <', text: '', thinking: false };
  expect(takeApart(answer('<think>Hm <', { status: 'stopped' }))).toEqual(cut);
  expect(takeApart(answer('<think>Hm <', { status: 'streaming', calls: [call('k')] }))).toEqual(cut);
});
