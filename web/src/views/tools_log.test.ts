// What the tools panel tells beside the list: why there is none, what servers say, what was called.
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { auditRecord, summary, tool, toolList, toolServer } from '../testing/frames';
import { answer, openPage, press, receive, socket, text, type Page } from '../testing/page';

let page: Page;
const items = [tool('clock'), tool('weather')];

async function opens(changes: Parameters<typeof toolList>[0] = {}): Promise<void> {
  await answer('tools', toolList({ items, ...changes }));
  document.getElementById('tools-button')?.click();
  flushSync();
}
function unfold(selector: string): void {
  const fold = document.querySelector<HTMLDetailsElement>(selector);
  if (!fold) throw new Error(`no ${selector}`);
  fold.open = true;
  fold.dispatchEvent(new Event('toggle'));
  flushSync();
}
const audit = (records: ReturnType<typeof auditRecord>[], before: number | null = null) => ({
  type: 'audit',
  items: records,
  before,
  damaged: 0,
});
const LOG = '#tools > details';

beforeEach(() => {
  page = openPage();
});
afterEach(() => page.close());

test('tools that are off say why, and give no advice that does not help', async () => {
  const off = 'the server listens on 0.0.0.0, and no access key is set';
  await opens({ items: [], file: null, off });
  expect(text('.empty h3')).toEqual(['Tools are off']);
  expect(text('.empty p')).toEqual([`The reason: ${off}.`]);
  expect(text('.example')).toEqual([]);
  expect(text(LOG)).toEqual([]);
});

test('where there are none yet, the file that is read is named, and the example is a whole one', async () => {
  await opens({ items: [], file: '/home/me/tools.json' });
  expect(text('.empty p')[0]).toContain('/home/me/tools.json');
  expect(JSON.parse(document.querySelector('.example pre')?.textContent ?? '')).toHaveProperty('tools');
});

test('what servers say is asked for when the panel opens, and while a log is read', async () => {
  const asked = () => socket().commands('tools').length;
  await opens({ servers: [toolServer('files', { log: ['npm: not found'] })] });
  expect(asked()).toBe(2);
  unfold('#tools li details');
  expect(asked()).toBe(3);
  const servers = [toolServer('files', { log: ['npm: not found', 'giving up'] })];
  await answer('tools', toolList({ items, servers }));
  expect(text('#tools li details pre')).toEqual(['npm: not found giving up']);
  vi.advanceTimersByTime(3100);
  expect(asked()).toBe(4);
  press('Close');
  vi.advanceTimersByTime(10_000);
  expect(asked()).toBe(4);
});

test('the log of calls is read when it is opened, page by page, and its chats can be opened', async () => {
  const conversation = '00000000-0000-4000-8000-000000000002';
  receive({ type: 'listed', item: summary(conversation, { title: 'Rain' }) });
  await opens();
  expect(socket().commands('audit')).toEqual([]);
  unfold(LOG);
  const records = [
    auditRecord(90, { conversation, decision: 'once', elapsed_ms: 1200 }),
    auditRecord(60, { tool: 'rm\u202etxt', end: 'denied', decision: 'denied', elapsed_ms: 0 }),
    auditRecord(50, { end: '', decision: 'withdrawn', elapsed_ms: 0 }),
  ];
  await answer('audit', audit(records, 50));
  expect(text(`${LOG} li b`)).toEqual(['weather', 'rm[U+202E]txt', 'weather']);
  expect(text(`${LOG} li .end`)).toEqual(['Done', 'Denied']);
  expect(text(`${LOG} li small`)[0]).toMatch(/2026.*· allowed once · 1\.2 s · Rain$/);
  expect(text(`${LOG} li small`)[2]).toMatch(/taken back$/);
  press('Show earlier calls');
  expect(socket().commands('audit').at(-1)?.['before']).toBe(50);
  await answer('audit', audit([auditRecord(10)]));
  expect(text(`${LOG} li`).length).toBe(4);
  document.querySelector<HTMLAnchorElement>(`${LOG} li a`)?.click();
  expect(page.app.selected).toBe(conversation);
});

test('a log of calls that cannot be read says why, and an empty one that it is', async () => {
  await opens();
  unfold(LOG);
  await answer('audit', { type: 'error', code: 'unavailable', message: 'Check its permissions.' });
  expect(text(`${LOG} [role=alert] p`)).toEqual(['The log could not be read: Check its permissions.']);
  press('Try again');
  await answer('audit', audit([]));
  expect(text(`${LOG} .help`)).toContain('No tool was called yet.');
});
