import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Call } from '../protocol';
import { call, message } from '../testing/frames';
import { button, CHAT, openPage, press, receive, showChat, text, type Page } from '../testing/page';

let page: Page;
const preview = { kind: 'command' as const, words: ['/bin/weather', '--city', 'Bad Ems', ''], input: '' };
const asking = { state: 'awaiting_approval' as const, result: '', decision: null, preview };

function shows(changes: Partial<Call>): void {
  const calls = [call('k', changes)];
  const answer = message('a', { role: 'assistant', parent: 'q', calls, stop_reason: 'tool_calls' });
  showChat(page, [message('q', { text: 'Rain?' }), answer]);
}
function becomes(changes: Partial<Call>): void {
  const changed = { type: 'call_changed', conversation: CHAT, seq: 2, message: 'a', index: 0 };
  receive({ ...changed, call: call('k', changes), progress: null });
}

beforeEach(() => {
  page = openPage();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await page.close();
});

test('what a call does is told to those who do not see it', () => {
  shows(asking);
  expect(text('main > [role=status]')[0]).toBe('weather: Waits for your decision');
  becomes({ state: 'running', result: '' });
  expect(text('main > [role=status]')[0]).toBe('weather: Running');
  expect(document.querySelector('main > [role=status]')?.closest('[role=log]')).toBeNull();
});

test('a chat that is only looked at tells nothing', () => {
  shows({});
  expect(text('main > [role=status]')[0]).toBe('');
});

test('the keyboard stays at a card whose buttons go away', () => {
  shows({ state: 'running', result: '' });
  button('Cancel').focus();
  becomes({ state: 'cancelled', result: 'The user cancelled this call.' });
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Tool call: weather');
});

test('the keyboard is left alone where it is', () => {
  shows({ state: 'running', result: '' });
  const composer = document.querySelector('textarea');
  composer?.focus();
  becomes({});
  expect(document.activeElement).toBe(composer);
});

test('the command and the arguments can be copied whole', async () => {
  const copied: string[] = [];
  vi.stubGlobal('isSecureContext', true);
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((words) => {
    copied.push(words);
    return Promise.resolve();
  });
  shows(asking);
  press('Copy command');
  press('Copy arguments');
  await Promise.resolve();
  expect(copied).toEqual(["/bin/weather --city 'Bad Ems' ''", '{"city": "Bremen"}']);
});
