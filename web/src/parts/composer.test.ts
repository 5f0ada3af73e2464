import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { App } from '../state/app.svelte';
import { Preferences } from '../state/preferences.svelte';
import { FakeSocket } from '../testing/fake_socket';
import Composer from './Composer.svelte';

let app: App;
let preferences: Preferences;
let composer: ReturnType<typeof mount>;
const socket = (): FakeSocket => FakeSocket.newest;
const refusal = { type: 'error', code: 'busy', message: 'Wait.' };

const area = (): HTMLTextAreaElement => {
  const found = document.querySelector('textarea');
  if (!found) throw new Error('no composer');
  return found;
};
function type(text: string): void {
  area().value = text;
  area().dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
}
function submit(): void {
  area().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  flushSync();
}
function select(conversation: string | null): void {
  app.select(conversation);
  flushSync();
}

beforeEach(() => {
  FakeSocket.all = [];
  localStorage.clear();
  vi.stubGlobal('WebSocket', FakeSocket);
  let id = 0;
  app = new App('ws://x/ws', () => `id-${++id}`);
  app.start();
  socket().greet();
  preferences = new Preferences();
  composer = mount(Composer, { target: document.body, props: { app, preferences } });
  flushSync();
});
afterEach(() => unmount(composer));

test('what is written while a message is on its way stays a draft', async () => {
  select('a');
  type('one');
  submit();
  type('two');
  await socket().answer('send');
  expect(area().value).toBe('two');
  expect(preferences.draft('a')).toBe('two');
});

test('a sent message is no draft any more', async () => {
  select('a');
  type('one');
  submit();
  await socket().answer('send');
  expect(preferences.draft('a')).toBe('');
});

test('a refused message comes back to its own chat', async () => {
  select('a');
  type('one');
  submit();
  select('b');
  await socket().answer('send', refusal);
  flushSync();
  expect(area().value).toBe('');
  select('a');
  expect(area().value).toBe('one');
});

test('a refused message comes back before what was written meanwhile', async () => {
  select('a');
  type('one');
  submit();
  type('two');
  await socket().answer('send', refusal);
  flushSync();
  expect(area().value).toBe('one\ntwo');
  expect(preferences.draft('a')).toBe('one\ntwo');
});

test('a message that a new chat refused is the draft of that chat alone', async () => {
  type('one');
  submit();
  await socket().answer('create');
  flushSync();
  await socket().answer('send', refusal);
  flushSync();
  expect(area().value).toBe('one');
  expect(preferences.draft(app.selected)).toBe('one');
  expect(preferences.draft(null)).toBe('');
});

test('a chat that was opened while another one is made shows its own draft', () => {
  preferences.keepDraft('b', 'for b');
  type('one');
  submit();
  select('b');
  expect(area().value).toBe('for b');
});

test('a message on its way in one chat keeps nobody from sending in another', async () => {
  select('a');
  type('one');
  submit();
  type('again');
  submit();
  expect(
    socket()
      .commands('send')
      .map((c) => c['text']),
  ).toEqual(['one']);
  select('b');
  type('two');
  submit();
  expect(
    socket()
      .commands('send')
      .map((c) => c['text']),
  ).toEqual(['one', 'two']);
  const [first, second] = socket().commands('send');
  socket().receive({ ...refusal, re: first?.['id'] });
  socket().receive({ type: 'ack', re: second?.['id'] });
  for (let i = 0; i < 20; i++) await Promise.resolve();
  flushSync();
  expect([preferences.draft('a'), preferences.draft('b')]).toEqual(['one\nagain', '']);
});

test('what is written while a chat is made goes on in it', async () => {
  type('one');
  submit();
  type('two');
  await socket().answer('create');
  flushSync();
  await socket().answer('send');
  flushSync();
  expect(area().value).toBe('two');
  expect([preferences.draft(null), preferences.draft(app.selected)]).toEqual(['', 'two']);
});
