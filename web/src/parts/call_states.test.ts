import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Call } from '../protocol';
import { call, hello, message } from '../testing/frames';
import {
  CHAT,
  answer,
  button,
  openPage,
  press,
  receive,
  showChat,
  socket,
  text,
  type Page,
} from '../testing/page';

let page: Page;
const question = message('q', { text: 'Rain?' });
const of = (changes: object) =>
  message('a', { role: 'assistant', parent: 'q', stop_reason: 'tool_calls', ...changes });
const shows = (calls: Call[]) => showChat(page, [question, of({ calls })]);
function passes(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds);
  flushSync();
}

beforeEach(() => {
  page = openPage();
});
afterEach(() => page.close());

test('a decision that nothing follows can be made again', async () => {
  shows([call('k', { state: 'awaiting_approval', result: '', decision: null })]);
  passes(500);
  press('Allow once');
  await answer('decide');
  passes(4000);
  press('Allow once');
  expect(socket().commands('decide').length).toBe(1);
  passes(1500);
  expect(button('Deny').getAttribute('aria-disabled')).toBe('false');
  press('Deny');
  expect(
    socket()
      .commands('decide')
      .map((c) => c['decision']),
  ).toEqual(['once', 'deny']);
});

test('what ended without a word says what is known of it', () => {
  shows([
    call('k', { state: 'interrupted', result: '', output_bytes: 0 }),
    call('l', { state: 'cancelled', result: '', output_bytes: 0 }),
    call('m', { state: 'failed', result: '', output_bytes: 0 }),
  ]);
  expect(text('.reason p')).toEqual([
    'The server ended while this call ran. Whether it took effect is not known.',
    'This call was not run.',
    'The tool gave no reason.',
  ]);
});

test('a running call counts from its beginning, by the clock of the server', () => {
  receive({ ...hello, time: Date.now() + 3_600_000 }); // an hour ahead of this machine
  const began = Date.now() + 3_600_000 - 40_000;
  shows([call('k', { state: 'running', result: '', elapsed_ms: 0, started_at: began })]);
  expect(text('[role=timer]')).toEqual(['40.0 s']);
  passes(1500);
  expect(text('[role=timer]')).toEqual(['41.5 s']);
  showChat(page, [question, of({ calls: [call('k', { elapsed_ms: 40_250 })] })]);
  expect(text('[role=timer]')).toEqual(['40.3 s']);
});

test('an answer in which a call may be coming says so, and no longer when it was none', () => {
  const streaming = of({ status: 'streaming', stop_reason: null, text: 'Sure.', epoch: 1 });
  showChat(page, [question, streaming], { answering: true });
  expect(text('.preparing')).toEqual([]);
  receive({ type: 'preparing', conversation: CHAT, message: 'a', epoch: 1 });
  expect(text('.preparing')).toEqual(['Preparing a call']);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  receive({ type: 'delta', conversation: CHAT, message: 'a', epoch: 1, offset: 5, text: ' {}' });
  expect(text('.preparing')).toEqual([]);
  vi.restoreAllMocks();
});
