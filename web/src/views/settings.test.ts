import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { App } from '../state/app.svelte';
import { Preferences } from '../state/preferences.svelte';
import { FakeSocket } from '../testing/fake_socket';
import { summary } from '../testing/frames';
import Settings from './Settings.svelte';

let app: App;
let panel: ReturnType<typeof mount>;
let seq = 1;
const socket = (): FakeSocket => FakeSocket.newest;
const refusal = { type: 'error', code: 'invalid', message: 'No.' };
const chat = (settings: object) => {
  const base = summary('a');
  return { ...base, settings: { ...base.settings, ...settings } };
};

function find<T extends Element>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}
const tokens = () => find<HTMLInputElement>('input[type=number]');
const heat = () => find<HTMLInputElement>('input[type=range]');
const prompt = () => find<HTMLTextAreaElement>('textarea');
function write(field: HTMLInputElement | HTMLTextAreaElement, value: string, ...events: string[]): void {
  field.value = value;
  for (const event of events) field.dispatchEvent(new Event(event, { bubbles: true }));
  flushSync();
}
async function answer(fields?: object): Promise<void> {
  await socket().answer('settings', fields ? { ...fields } : undefined);
  flushSync();
}
function stored(settings: object): void {
  socket().receive({ type: 'changed', conversation: 'a', seq: ++seq, summary: chat(settings) });
  flushSync();
}

beforeEach(() => {
  FakeSocket.all = [];
  localStorage.clear();
  vi.stubGlobal('WebSocket', FakeSocket);
  let id = 0;
  seq = 1;
  app = new App('ws://x/ws', () => `id-${++id}`);
  app.start();
  socket().greet();
  app.select('a');
  socket().receive({
    type: 'snapshot',
    conversation: 'a',
    seq,
    summary: chat({}),
    messages: [],
    more: false,
  });
  panel = mount(Settings, {
    target: document.body,
    props: { app, preferences: new Preferences(), modal: false, close: () => undefined },
  });
  flushSync();
});
afterEach(() => unmount(panel));

test('a length that is none is not sent, and the field shows what is set', () => {
  for (const value of ['-5', '0', '99999999999']) {
    write(tokens(), value, 'change');
    expect(tokens().value, value).toBe('');
    expect(find('[role=alert]').textContent).toContain('whole number');
  }
  expect(socket().commands('settings')).toEqual([]);
  write(tokens(), '2.7', 'change');
  expect(socket().commands('settings')[0]?.['max_tokens']).toBe(2);
  expect(tokens().value).toBe('2');
  expect(document.querySelector('[role=alert]')).toBeNull();
});

test('a length that is refused does not stay in the field', async () => {
  stored({ max_tokens: 9 });
  write(tokens(), '7', 'change');
  await answer(refusal);
  expect(tokens().value).toBe('9');
});

test('the number beside the slider follows the thumb, and goes back with it', async () => {
  write(heat(), '1.5', 'input');
  expect(find('output').textContent).toBe('1.50');
  write(heat(), '1.5', 'change');
  expect(socket().commands('settings')[0]?.['temperature']).toBe(1.5);
  await answer(refusal);
  expect([find('output').textContent, heat().value]).toEqual(['0.70', '0.7']);
  write(heat(), '1.2', 'input', 'change');
  await answer();
  expect(find('output').textContent).toBe('1.20');
  stored({ temperature: 1.2 });
  stored({ temperature: 0.3 }); // of another tab
  expect([find('output').textContent, heat().value]).toEqual(['0.30', '0.3']);
});

test('a prompt that is refused stays to be shortened, and says that it is not saved', async () => {
  write(prompt(), 'Too long.', 'change');
  await answer(refusal);
  expect(prompt().value).toBe('Too long.');
  expect(find('[role=alert]').textContent).toBe('This text is not saved.');
  write(prompt(), 'Short.', 'change');
  await answer();
  expect(document.querySelector('[role=alert]')).toBeNull();
});

test('a reset also takes what was never set', async () => {
  write(prompt(), 'Too long.', 'change');
  await answer(refusal);
  find<HTMLButtonElement>('[data-conversation] > button').click();
  await answer();
  expect(prompt().value).toBe('');
  expect(document.querySelector('[role=alert]')).toBeNull();
});
