import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Call } from '../protocol';
import { App } from '../state/app.svelte';
import { Preferences } from '../state/preferences.svelte';
import { FakeSocket } from '../testing/fake_socket';
import { call, hello, message, summary, tool, toolList, toolServer } from '../testing/frames';
import AppView from '../views/App.svelte';

let app: App;
let page: ReturnType<typeof mount>;
const socket = (): FakeSocket => FakeSocket.newest;
const answer = (id: string, parent: string, changes = {}) =>
  message(id, { role: 'assistant', parent, stop_reason: 'stop', ...changes });

function shows(calls: Call[], below: ReturnType<typeof message>[] = []): void {
  app.select('00000000-0000-4000-8000-000000000001');
  const first = answer('a', 'q', { calls, text: 'Let me see.', stop_reason: 'tool_calls' });
  socket().receive({
    type: 'snapshot',
    conversation: app.selected,
    seq: 1,
    summary: summary(app.selected ?? ''),
    messages: [message('q', { text: 'Rain?' }), first, ...below],
    more: false,
  });
  flushSync();
}
const text = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map((e) => (e.textContent ?? '').replace(/\s+/g, ' ').trim());
function button(label: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find(
    (b) => b.textContent?.trim() === label || b.getAttribute('aria-label') === label,
  );
  if (!found) throw new Error(`no button ${label}`);
  return found;
}
function press(label: string): void {
  button(label).click();
  flushSync();
}
const preview = { kind: 'command' as const, words: ['/bin/weather', '--city', 'Bad Ems', ''], input: '' };
const asking = call('k', { state: 'awaiting_approval', result: '', decision: null, preview });

beforeEach(() => {
  FakeSocket.all = [];
  localStorage.clear();
  history.replaceState(null, '', '/');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  vi.setSystemTime(hello.time - 3_600_000); // this machine's clock is an hour behind the server's
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  let id = 0;
  app = new App('ws://x/ws', () => `id-${++id}`);
  page = mount(AppView, { target: document.body, props: { app, preferences: new Preferences() } });
  app.start();
  socket().greet();
  flushSync();
});
afterEach(async () => {
  await unmount(page);
  vi.useRealTimers();
});

test('the rounds of a turn are one answer with one row of actions', () => {
  shows([call('k')], [answer('b', 'a', { text: 'It rains.' })]);
  expect(document.querySelectorAll('article.answer').length).toBe(1);
  expect(document.querySelectorAll('.actions').length).toBe(1);
  expect(text('article.answer > *').slice(0, 1)[0]).toBe('Let me see.');
  press('Answer again');
  expect(socket().commands('regenerate')[0]?.['message']).toBe('a');
});

test('every argument of a command has a box of its own, the empty one too', () => {
  shows([asking]);
  expect(text('.card ol li')).toEqual(['/bin/weather', '--city', 'Bad Ems', 'empty']);
});

test('the decision goes to its call, once, and not in the first moment', async () => {
  shows([asking]);
  expect(button('Allow once').disabled).toBe(true);
  press('Allow once');
  expect(socket().commands('decide')).toEqual([]);
  vi.advanceTimersByTime(500);
  flushSync();
  press('Allow in this chat');
  press('Deny');
  expect(socket().commands('decide')).toMatchObject([{ message: 'a', call: 'k', decision: 'chat' }]);
  await socket().answer('decide', { type: 'error', code: 'unavailable', message: 'Not now.' });
  flushSync();
  press('Deny');
  expect(socket().commands('decide').length).toBe(2);
  await socket().answer('decide');
  press('Allow once');
  expect(socket().commands('decide').length).toBe(2);
});

test('what always means stands beside the buttons', () => {
  shows([asking]);
  const described = button('Always allow').getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toContain('without asking');
  expect(button('Deny').getAttribute('aria-describedby')).toBeNull();
});

test('a long argument is not shortened without a word', () => {
  const long = `first\n${'x'.repeat(5000)}END`;
  shows([{ ...asking, preview: { ...preview, words: ['/bin/sh', long] } }]);
  expect(text('.card ol').join('')).not.toContain('END');
  expect(text('.rest')[0]).toContain('Not all is shown here.');
  press('Show all 5,016 characters');
  expect(text('.card ol').join('')).toContain('END');
});

test('arguments that are decided by are not shortened without a word', () => {
  const input = JSON.stringify({ path: `${'x'.repeat(5000)}END` });
  const builtin = { kind: 'builtin' as const, words: ['delete'], input };
  shows([{ ...asking, arguments: input, preview: builtin }]);
  expect(text('.card')[0]).not.toContain('END');
  expect(text('.card .body p').join(' ')).toContain('Not all is shown here.');
  const long = call('k', { state: 'done', arguments: input, preview: builtin });
  shows([long]);
  expect(text('.card')[0]).not.toContain('Not all is shown here.');
});

test('characters that turn the order round or hide are marked in what runs', () => {
  shows([{ ...asking, preview: { ...preview, words: ['rm\u202etxt.exe', 'a\u200bb'] } }]);
  expect(text('.unseen')).toEqual(['[U+202E]', '[U+200B]']);
});

test('tool output is text', () => {
  shows([call('k', { state: 'failed', result: '<img src=x onerror=alert(1)><script>1</script>\x1b[31m' })]);
  expect(document.querySelector('.card img, .card script')).toBeNull();
  expect(text('.reason pre')[0]).toBe('<img src=x onerror=alert(1)><script>1</script>[ESC][31m');
});

test('a running call ticks, tells its way and can be cancelled', () => {
  const running = { state: 'running', result: '', elapsed_ms: 0, started_at: hello.time - 2000 } as const;
  shows([call('k', running)]);
  socket().receive({
    type: 'call_changed',
    conversation: app.selected,
    seq: 2,
    message: 'a',
    index: 0,
    call: call('k', running),
    progress: { message: 'page 3 of 4', fraction: 0.75 },
  });
  flushSync();
  expect(text('.told')[0]).toBe('page 3 of 4 75 %');
  expect(text('[role=timer]')).toEqual(['2.0 s']);
  vi.advanceTimersByTime(1500);
  flushSync();
  expect(text('[role=timer]')).toEqual(['3.5 s']);
  press('Cancel');
  press('Cancelling …');
  expect(socket().commands('cancel_call')).toMatchObject([{ message: 'a', call: 'k' }]);
});

test('the whole output is read in pieces', async () => {
  const piece = (offset: number, words: string) => ({ type: 'output', offset, text: words, bytes: 9 });
  shows([call('k', { state: 'failed', result: 'né…', output_bytes: 9 })]);
  press('Show whole output (9 bytes)');
  await socket().answer('output', piece(0, 'né👍'));
  flushSync();
  expect(text('.output pre')).toEqual(['né👍']);
  press('Show more (7 bytes of 9 bytes shown)');
  expect(socket().commands('output').at(-1)?.['offset']).toBe(7);
  await socket().answer('output', piece(7, '!?'));
  flushSync();
  expect(text('.output pre')).toEqual(['né👍', '!?']);
  expect(text('.card button').filter((label) => /Show (more|whole)/.test(label))).toEqual([]);
});

test('an output that cannot be read says so and can be asked for again', async () => {
  shows([call('k', { state: 'failed', result: 'x', output_bytes: 9 })]);
  press('Show whole output (9 bytes)');
  await socket().answer('output', { type: 'output', offset: 0, text: '', bytes: 9 });
  flushSync();
  expect(text('[role=alert]')).toEqual(['The output could not be read.']);
  press('Show whole output (9 bytes)');
});

test('pictures of known types come from this server, others are named', () => {
  shows([call('a/../b', { images: ['image/png', 'image/svg+xml'] })]);
  const images = [...document.querySelectorAll('.card img')];
  expect(images.map((image) => image.getAttribute('src'))).toEqual(['/calls/a%2F..%2Fb/images/0']);
  expect(text('.images p')).toEqual(['Image 2 is of a type that is not shown (image/svg+xml).']);
});

test('a call that is being prepared has no name yet, and its arguments grow', () => {
  shows([call('k', { state: 'writing', name: '', source: '', arguments: '', result: '' })]);
  expect(text('.card header')).toEqual(['Preparing a call']);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const args = { type: 'arguments', conversation: app.selected, message: 'a', epoch: 0, index: 0 };
  socket().receive({ ...args, offset: 0, text: '{"city":"Br' });
  flushSync();
  expect(text('.growing pre')).toEqual(['{"city":"Br']);
  vi.restoreAllMocks();
});

test('results that were not answered can be continued', () => {
  shows([call('k')]);
  expect(text('.notice').join()).toContain('have not been answered yet');
  press('Continue');
  expect(socket().commands('continue')[0]?.['message']).toBe('a');
});

const tools = (changes = {}) => ({
  ...toolList(),
  items: [tool('clock', { source: 'builtin', chosen: true, tokens: 40 }), tool('weather', { tokens: 90 })],
  servers: [toolServer('files', { state: 'failed', error: 'It ended with 1.', log: ['npm: not found'] })],
  problems: ['config/tools.json line 3: unknown key "comand"'],
  ...changes,
});

test('the list of tools is read on each connection and when it changed', async () => {
  expect(socket().commands('tools').length).toBe(1);
  await socket().answer('tools', tools());
  socket().receive({ type: 'tools_changed' });
  expect(socket().commands('tools').length).toBe(2);
  await socket().answer('tools', tools({ items: [] }));
  expect(app.toolbox.offered?.items).toEqual([]);
});

test('the panel switches the tools of the chat, and shows what they cost', async () => {
  await socket().answer('tools', tools());
  shows([call('k')]);
  press('Tools, 1 is on; something needs attention');
  expect(text('.sum')).toEqual(['1 of 2 on · 40 tokens']);
  const weather = document.querySelector<HTMLInputElement>('input[aria-label=weather]');
  weather?.click();
  flushSync();
  expect(text('.sum')).toEqual(['2 of 2 on · 130 tokens']);
  expect(socket().commands('settings').at(-1)?.['tools']).toEqual(['clock', 'weather']);
  await socket().answer('settings', { type: 'error', code: 'unavailable', message: 'Not now.' });
  flushSync();
  expect(text('.sum')).toEqual(['1 of 2 on · 40 tokens']);
  expect(weather?.checked).toBe(false);
});

test('an answer that waits for a starting server says so; that is no problem', async () => {
  const starting = [toolServer('files', { state: 'starting' })];
  await socket().answer('tools', tools({ servers: starting, problems: [] }));
  app.select('00000000-0000-4000-8000-000000000001');
  const chat = summary(app.selected ?? '', { answering: true });
  socket().receive({
    type: 'snapshot',
    conversation: app.selected,
    seq: 1,
    summary: { ...chat, settings: { ...chat.settings, tools: ['files_read'] } },
    messages: [
      message('q', { text: 'Files?' }),
      answer('a', 'q', { status: 'streaming', stop_reason: null }),
    ],
    more: false,
  });
  flushSync();
  expect(text('.notice')).toEqual(['Tools are still starting: files']);
  expect(app.toolbox.needsAttention).toBe(false);
  socket().receive({ type: 'tools_changed' });
  await socket().answer('tools', tools({ servers: [toolServer('files')], problems: [] }));
  flushSync();
  expect(text('.notice')).toEqual([]);
});

test('tools that were chosen before there is a chat go along with its first message', async () => {
  await socket().answer('tools', tools());
  await app.toolbox.turn('weather', true);
  void app.send('hi');
  await socket().answer('create');
  expect(socket().commands('settings').at(-1)).toMatchObject({
    conversation: app.selected ?? socket().commands('create')[0]?.['conversation'],
    tools: ['clock', 'weather'],
  });
  expect(socket().commands('send')).toEqual([]);
  await socket().answer('settings');
  expect(socket().commands('send').length).toBe(1);
  expect(app.toolbox.forNewChat).toBeNull();
});

test('problems and servers are told; no tools at all says how to add one', async () => {
  await socket().answer('tools', tools({ items: [] }));
  press('Tools, none is on; something needs attention');
  expect(text('.problems li')).toEqual(['config/tools.json line 3: unknown key "comand"']);
  expect(text('.error')).toEqual(['It ended with 1.']);
  expect(text('.example pre')[0]).toContain('"command"');
  expect(text('.empty p')[0]).toContain('/home/me/tools.json');
  expect(JSON.parse(document.querySelector('.example pre')?.textContent ?? '')).toHaveProperty('tools');
});

test('a list that cannot be read says why and is asked for again', async () => {
  await socket().answer('tools', { type: 'error', code: 'internal', message: 'The disk is full.' });
  press('Tools, none is on');
  expect(text('[role=alert] p')).toEqual(['The tools could not be listed: The disk is full.']);
  press('Try again');
  expect(socket().commands('tools').length).toBe(2);
});
