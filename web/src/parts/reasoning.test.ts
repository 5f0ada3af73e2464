import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { message, messageState } from '../testing/frames';
import { CHAT, openPage, receive, showChat, text, type Page } from '../testing/page';

let page: Page;
const timings = (reasoning_ms: number) => ({
  first_token_ms: 1,
  total_ms: 2,
  tokens_per_second: 3,
  reasoning_ms,
});
function shows(words: string, changes = {}): void {
  const answer = message('a', { role: 'assistant', parent: 'q', text: words, ...changes });
  showChat(page, [message('q', { text: 'Rain?' }), answer]);
}
function grow(offset: number, words: string): void {
  receive({ type: 'delta', conversation: CHAT, message: 'a', epoch: 0, offset, text: words });
}
const fold = () => document.querySelector<HTMLDetailsElement>('article.answer details');
function turn(open: boolean): void {
  const details = fold();
  if (!details) throw new Error('no reasoning');
  details.open = open;
  details.dispatchEvent(new Event('toggle'));
  flushSync();
}

beforeEach(() => {
  page = openPage();
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true); // text is shown as it comes
});
afterEach(async () => {
  vi.restoreAllMocks();
  await page.close();
});

test('what the model thinks is open while it comes, and closed when the answer begins', () => {
  shows('<think>Let me', { status: 'streaming' });
  expect(fold()?.open).toBe(true);
  expect(document.querySelector('.thoughts.live')).not.toBeNull();
  vi.advanceTimersByTime(3000);
  flushSync();
  expect(text('article.answer summary')).toEqual(['Thinking3.0 s']);
  grow(13, ' see.');
  expect(fold()?.open).toBe(true);
  grow(18, '</think>\n\nYes');
  expect(fold()?.open).toBe(false);
  expect(text('article.answer summary')).toEqual(['Thought for 3 s']);
  expect(document.querySelector('.thoughts')).toBeNull();
});

test('the server tells how long it really took', () => {
  shows('<think>Hm.</think>\n\nYes', { status: 'streaming' });
  expect(text('article.answer summary')).toEqual(['Thought']);
  receive({
    type: 'message_changed',
    conversation: CHAT,
    seq: 2,
    message: { ...messageState('a'), role: 'assistant', parent: 'q', timings: timings(12_400) },
    text_bytes: 23,
  });
  expect(text('article.answer summary')).toEqual(['Thought for 12 s']);
});

test('a reload has it closed, with its time, to be opened', () => {
  shows('<think>Hm.</think>\n\nYes.', { timings: timings(65_000) });
  expect(fold()?.open).toBe(false);
  expect(text('article.answer summary')).toEqual(['Thought for 1 min 5 s']);
  expect(text('article.answer > .markdown')).toEqual(['Yes.']);
  turn(true);
  expect(text('.thoughts')).toEqual(['Hm.']);
});

test('the choice of the reader stays', () => {
  shows('<think>Let me', { status: 'streaming' });
  turn(false);
  grow(13, ' see.');
  expect(fold()?.open).toBe(false);
  turn(true);
  grow(18, '</think>\n\nYes');
  expect(fold()?.open).toBe(true);
  expect(document.querySelector('.thoughts.live')).toBeNull();
});

test('what a browser tells of its own change is no choice', () => {
  shows('<think>Let me', { status: 'streaming' });
  fold()?.dispatchEvent(new Event('toggle'));
  grow(13, ' see.</think>\n\nYes');
  expect(fold()?.open).toBe(false);
});

test('an answer without reasoning has no such section', () => {
  shows('<think>\n\n</think>\n\nYes.');
  expect(fold()).toBeNull();
  expect(text('article.answer > .markdown')).toEqual(['Yes.']);
});

test('thinking is told to those who do not see it', () => {
  shows('<think>Let me', { status: 'streaming' });
  expect(text('main > [role=status]')[0]).toBe('Thinking');
  grow(13, '</think>\n\nYes');
  expect(text('main > [role=status]')[0]).toBe('');
});
