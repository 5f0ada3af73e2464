import { beforeEach, expect, test, vi } from 'vitest';
import { FakeSocket } from '../testing/fake_socket';
import { message, summary } from '../testing/frames';
import { App } from './app.svelte';

let app: App;
const socket = (): FakeSocket => FakeSocket.newest;
const snapshot = (conversation: string, changes = {}) => ({
  type: 'snapshot',
  conversation,
  seq: 1,
  summary: summary(conversation, changes),
  messages: [message('q')],
  more: false,
});
const page = (items: unknown[], more = false) => ({ type: 'conversations', items, more });
const error = (code: string, text: string) => ({ type: 'error', code, message: text });

beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  let id = 0;
  app = new App('ws://x/ws', () => `id-${++id}`);
  app.start();
  socket().greet();
});

test('asks for the list once on each connection', () => {
  expect(socket().commands('list').length).toBe(1);
});

test('every conversation that is left is closed, also before it came', async () => {
  for (const conversation of ['a', 'b', 'c']) app.select(conversation);
  await socket().answer('open');
  expect(
    socket()
      .commands('close')
      .map((c) => c['conversation']),
  ).toEqual(['a', 'b']);
});

test('a conversation that cannot be opened says why and can be tried again', async () => {
  app.select('a');
  await socket().answer('open', error('internal', 'The disk is full.'));
  expect(app.trouble).toBe('The disk is full.');
  app.tryAgain();
  expect(app.trouble).toBe('');
  expect(socket().commands('open').length).toBe(2);
  socket().receive(snapshot('a'));
  expect(app.view?.conversation).toBe('a');
});

test('a failure that no command asked for is shown, and the conversation can be opened again', () => {
  app.select('a');
  socket().receive({ ...error('internal', 'The disk is full.'), re: null });
  expect(app.trouble).toBe('The disk is full.');
});

test('the next page of the list begins where the last one ended, whatever was listed meanwhile', async () => {
  await socket().answer(
    'list',
    page([summary('n', { updated_at: 90 }), summary('m', { updated_at: 80 })], true),
  );
  socket().receive({ type: 'listed', item: summary('old', { updated_at: 5 }) });
  void app.listMore();
  expect(socket().commands('list').at(-1)?.['before']).toEqual({ updated_at: 80, conversation: 'm' });
});

test('a new chat that was left while it was made does not come back', async () => {
  void app.send('hi');
  app.select('a');
  await socket().answer('create');
  expect(app.selected).toBe('a');
  expect(socket().commands('send').length).toBe(1);
});

test('one message makes one new chat, however often it is sent meanwhile', async () => {
  void app.send('hi');
  expect(await app.send('hi')).toBeNull();
  expect(socket().commands('create').length).toBe(1);
});

const delta = (offset: number, text: string) => ({
  type: 'delta',
  conversation: 'a',
  message: 'q',
  epoch: 0,
  offset,
  text,
});

test('pieces of text within one frame of the screen are shown together', () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  app.select('a');
  socket().receive(snapshot('a'));
  socket().receive(delta(0, 'one '));
  socket().receive(delta(4, 'two '));
  expect(app.view?.messages[0]?.text).toBe('');
  expect(frames.length).toBe(1);
  frames[0]?.();
  expect(app.view?.messages[0]?.text).toBe('one two ');
  socket().receive(delta(8, 'three'));
  expect(frames.length).toBe(2);
});

test('what comes behind a piece of text finds it there', () => {
  vi.stubGlobal('requestAnimationFrame', () => 1);
  app.select('a');
  socket().receive(snapshot('a'));
  socket().receive(delta(0, 'one'));
  socket().receive({ type: 'changed', conversation: 'a', seq: 2, summary: summary('a', { title: 'T' }) });
  expect(app.view?.messages[0]?.text).toBe('one');
  expect(app.view?.summary.title).toBe('T');
});

test('a hidden page, which has no frames, takes text at once', () => {
  vi.stubGlobal('requestAnimationFrame', () => 1);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  app.select('a');
  socket().receive(snapshot('a'));
  socket().receive(delta(0, 'one'));
  expect(app.view?.messages[0]?.text).toBe('one');
  vi.restoreAllMocks();
});
