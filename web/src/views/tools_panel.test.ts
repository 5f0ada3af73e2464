import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { approval, message, tool, toolList } from '../testing/frames';
import {
  answer,
  button,
  CHAT,
  openPage,
  press,
  receive,
  showChat,
  socket,
  text,
  type Page,
} from '../testing/page';

let page: Page;
const items = [
  tool('clock', { source: 'builtin', chosen: true, tokens: 40 }),
  tool('weather', { tokens: 90 }),
];

async function opens(changes: Parameters<typeof toolList>[0] = {}): Promise<void> {
  await answer('tools', toolList({ items, ...changes }));
  showChat(page, [message('q', { text: 'Rain?' })]);
  document.getElementById('tools-button')?.click();
  flushSync();
}
const facts = () => text('.box small');

beforeEach(() => {
  page = openPage();
});
afterEach(() => page.close());

test('what was allowed is told with the tool, and can be taken back', async () => {
  await opens({ approvals: [approval('weather'), approval('weather', { conversation: CHAT, since: null })] });
  expect(text('.approval p')[0]).toMatch(/^Always allowed, since .+2026.+\. Allowed in this chat\.$/);
  expect(facts()).toEqual(['40 tokens · asks first', '90 tokens · runs without asking, as you allowed']);
  button('Ask again: weather').focus();
  press('Ask again: weather');
  press('Ask again: weather');
  expect(socket().commands('forget_approval')).toMatchObject([{ tool: 'weather' }]);
  await answer('forget_approval');
  expect(text('#tools > [role=status]')).toEqual(['What was allowed of weather was taken back.']);
  receive({ type: 'tools_changed' });
  await answer('tools', toolList({ items }));
  expect(text('.approval')).toEqual([]);
  expect(facts()[1]).toBe('90 tokens · asks first');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('weather');
});

test('what could not be taken back can be tried again', async () => {
  await opens({ approvals: [approval('weather')] });
  press('Ask again: weather');
  await answer('forget_approval', { type: 'error', code: 'unavailable', message: 'The disk is full.' });
  expect(text('.toast span')[0]).toBe('The disk is full.');
  expect(text('#tools > [role=status]')).toEqual(['']);
  press('Ask again: weather');
  expect(socket().commands('forget_approval').length).toBe(2);
});

test('what another tab has allowed shows up', async () => {
  await opens();
  expect(text('.approval')).toEqual([]);
  receive({ type: 'tools_changed' });
  await answer('tools', toolList({ items, approvals: [approval('clock', { since: null })] }));
  expect(text('.approval p')).toEqual(['Always allowed.']);
});

test('what was allowed in other chats asks in this one', async () => {
  await opens({ approvals: [approval('weather', { conversation: 'another' })] });
  expect(text('.approval p')).toEqual(['Allowed in 1 other chat.']);
  expect(facts()[1]).toBe('90 tokens · asks first');
});

test('what no longer holds, or changes nothing, is forgotten rather than asked again', async () => {
  const free = tool('free', { policy: 'auto' });
  await opens({
    items: [...items, free],
    approvals: [approval('weather', { holds: false }), approval('free'), approval('gone', { holds: false })],
  });
  expect(text('.approval p')).toContain('Was allowed, but has changed since; it asks.');
  expect(text('.approval button')).toEqual(['Forget', 'Forget']);
  expect(text('.away li b')).toEqual(['gone']);
  button('Forget: gone').focus();
  press('Forget: gone');
  expect(socket().commands('forget_approval')).toMatchObject([{ tool: 'gone' }]);
  await answer('forget_approval');
  receive({ type: 'tools_changed' });
  await answer('tools', toolList({ items }));
  expect(text('.away')).toEqual([]);
  expect(document.activeElement?.id).toBe('tools');
});

test('tokens that are guessed say so', async () => {
  await opens({ counted: false });
  expect(text('.sum')).toEqual(['1 of 2 on · about 40 tokens']);
  expect(facts()[0]).toBe('about 40 tokens · asks first');
});

test('the costs are told as the model is given tools', async () => {
  await opens({ profile: 'weak' });
  expect(text('.sum')).toEqual(['1 of 2 on']);
  expect(text('#tools .help')[1]).toContain('first asked');
  receive({ type: 'tools_changed' });
  await answer('tools', toolList({ items, profile: 'none' }));
  expect(text('#tools .help')[1]).toContain('cannot call any');
});
