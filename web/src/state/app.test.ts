import { beforeEach, expect, test, vi } from 'vitest';
import { FakeSocket } from '../testing/fake_socket';
import { call, message, summary } from '../testing/frames';
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

const stray = { type: 'message_added', conversation: 'a', seq: 2, message: message('x', { parent: 'far' }) };

test('a view that an event does not fit is replaced, not asked to go on from', async () => {
  app.select('a');
  socket().receive(snapshot('a'));
  await socket().answer('open');
  socket().receive(stray);
  socket().receive({ ...stray, seq: 3 }); // on its way already
  expect(
    socket()
      .commands('open')
      .map((c) => c['have']),
  ).toEqual([null, null]);
  await socket().answer('open');
  socket().receive({ ...snapshot('a'), seq: 3, messages: [message('far'), message('x', { parent: 'far' })] });
  expect(app.view?.messages.map((m) => m.message)).toEqual(['far', 'x']);
  expect(socket().commands('open').length).toBe(2);
});

test('the server goes on from a gap once; the same gap again asks for all', async () => {
  const renamed = (seq: number) => ({ type: 'changed', conversation: 'a', seq, summary: summary('a') });
  const asked = () =>
    socket()
      .commands('open')
      .map((c) => (c['have'] as { seq: number } | null)?.seq ?? null);
  app.select('a');
  socket().receive(snapshot('a'));
  await socket().answer('open');
  socket().receive(renamed(5));
  expect(asked()).toEqual([null, 1]);
  await socket().answer('open');
  socket().receive(renamed(5));
  expect(asked()).toEqual([null, 1, null]);
  await socket().answer('open');
  socket().receive({ ...snapshot('a'), seq: 5 });
  socket().receive(renamed(9));
  expect(asked()).toEqual([null, 1, null, 5]);
});

test('a conversation that is left and chosen again before it was opened is opened again', async () => {
  app.select('a');
  app.select(null);
  app.select('a');
  expect(socket().commands('open').length).toBe(2);
  const [first, second] = socket().commands('open');
  socket().receive({ type: 'ack', re: first?.['id'] });
  await Promise.resolve();
  socket().receive({ ...error('internal', 'The disk is full.'), re: second?.['id'] });
  for (let i = 0; i < 10; i++) await Promise.resolve();
  expect(app.trouble).toBe('The disk is full.');
});

test('an `open` that was left behind says nothing about the next one', async () => {
  app.select('a');
  app.select(null);
  app.select('a');
  const first = socket().commands('open')[0];
  socket().receive({ ...error('not_found', 'There is none.'), re: first?.['id'] });
  for (let i = 0; i < 10; i++) await Promise.resolve();
  expect(app.missing).toBe(false);
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

test('a decision says which tool was shown', () => {
  app.select('a');
  const calls = [
    call('k', { state: 'awaiting_approval', definition: 'hash' }),
    call('l', { state: 'awaiting_approval' }),
  ];
  const answer = message('m', { role: 'assistant', parent: 'q', calls });
  socket().receive({ ...snapshot('a'), messages: [message('q'), answer] });
  void app.decide('m', 'k', 'once');
  void app.decide('m', 'l', 'once');
  expect(socket().commands('decide')).toMatchObject([
    { message: 'm', call: 'k', decision: 'once', definition: 'hash' },
    { message: 'm', call: 'l', decision: 'once', definition: null },
  ]);
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
  void app.listing.readMore();
  expect(socket().commands('list').at(-1)?.['before']).toEqual({ updated_at: 80, conversation: 'm' });
});

test('what was told while a page was on its way is newer than the page', async () => {
  const told = [summary('new', { updated_at: 99 }), summary('m', { updated_at: 80, title: 'Renamed' })];
  for (const item of told) socket().receive({ type: 'listed', item });
  socket().receive({ type: 'listed', item: summary('gone', { updated_at: 70, deleted: true }) });
  await socket().answer(
    'list',
    page([summary('m', { updated_at: 80 }), summary('gone', { updated_at: 70 })], true),
  );
  expect(app.listing.items.map((s) => [s.conversation, s.title])).toEqual([
    ['new', 'A title'],
    ['m', 'Renamed'],
  ]);
  void app.listing.readMore();
  expect(socket().commands('list').at(-1)?.['before']).toEqual({ updated_at: 70, conversation: 'gone' });
});

test('a list that cannot be read says why and can be asked for again', async () => {
  await socket().answer('list', error('unavailable', 'The server is shutting down.'));
  expect([app.listing.trouble, app.listing.loaded]).toEqual(['The server is shutting down.', false]);
  void app.listing.refresh();
  expect(app.listing.trouble).toBe('');
  await socket().answer('list', page([summary('m')]));
  expect([app.listing.items.length, app.listing.loaded]).toEqual([1, true]);
});

test('older conversations and messages that cannot be read say why', async () => {
  await socket().answer('list', page([summary('m')], true));
  void app.listing.readMore();
  await socket().answer('list', error('internal', 'The disk is full.'));
  app.select('a');
  socket().receive({ ...snapshot('a'), more: true });
  void app.loadOlder();
  await socket().answer('older', error('internal', 'The disk is gone.'));
  expect(app.toasts.items.map((t) => t.text)).toEqual(['The disk is full.', 'The disk is gone.']);
  expect(app.listing.more).toBe(true);
});

test('older messages of one chat that are on their way keep nobody from reading those of another', async () => {
  app.select('a');
  socket().receive({ ...snapshot('a'), more: true });
  void app.loadOlder();
  void app.loadOlder();
  app.select('b');
  socket().receive({ ...snapshot('b'), more: true });
  void app.loadOlder();
  expect(
    socket()
      .commands('older')
      .map((c) => c['conversation']),
  ).toEqual(['a', 'b']);
  const first = socket().commands('older')[0]?.['id'];
  socket().receive({ type: 'messages', re: first, conversation: 'a', items: [message('o')], more: false });
  for (let i = 0; i < 10; i++) await Promise.resolve();
  expect(app.view?.messages.map((m) => m.message)).toEqual(['q']);
});

test('what is deleted one after the other is one notice, and comes back together', async () => {
  app.select('b');
  for (const conversation of ['a', 'b', 'c']) {
    void app.remove(conversation);
    await socket().answer('delete');
  }
  expect(app.toasts.items.map((t) => t.text)).toEqual(['3 deleted.']);
  expect(app.selected).toBeNull();
  expect(app.toasts.act()).toBe(true);
  const restored = socket().commands('undelete');
  expect(restored.map((c) => c['conversation'])).toEqual(['a', 'b', 'c']);
  for (const { id } of restored) socket().receive({ type: 'ack', re: id });
  for (let i = 0; i < 20; i++) await Promise.resolve();
  expect(app.selected).toBe('b');
  void app.remove('d');
  await socket().answer('delete');
  expect(app.toasts.items.map((t) => t.text)).toEqual(['Deleted.']);
});

test('a chat that another tab deletes stays in sight', () => {
  app.select('a');
  socket().receive(snapshot('a'));
  socket().receive({ type: 'listed', item: summary('a', { deleted: true }) });
  socket().receive({ type: 'changed', conversation: 'a', seq: 2, summary: summary('a', { deleted: true }) });
  expect(app.selected).toBe('a');
  expect(app.view?.summary.deleted).toBe(true);
});

test('a new chat that was left while it was made does not come back', async () => {
  void app.send('hi');
  app.select('a');
  await socket().answer('create');
  expect(app.selected).toBe('a');
  expect(socket().commands('send').length).toBe(1);
});

test('a message is shown until the server tells of it, under its own id', async () => {
  const here = () => app.unsentHere.map((m) => m.text);
  app.select('a');
  socket().receive(snapshot('a'));
  void app.send('hi');
  expect([here(), app.isSending('a'), app.isSending('b')]).toEqual([['hi'], true, false]);
  const id = socket().commands('send')[0]?.['id'] as string;
  const added = message(id, { parent: 'q', text: 'hi' });
  socket().receive({ type: 'message_added', conversation: 'a', seq: 2, message: added });
  expect([here(), app.isSending('a')]).toEqual([[], true]);
  await socket().answer('send');
  expect(app.isSending('a')).toBe(false);
});

test('a message stays in sight while the connection is away, and in its own chat', async () => {
  const here = () => app.unsentHere.map((m) => m.text);
  void app.send('first');
  expect(here()).toEqual(['first']);
  await socket().answer('create');
  expect([app.selected, here()]).toEqual([socket().commands('send')[0]?.['conversation'], ['first']]);
  socket().close();
  expect(here()).toEqual(['first']);
  app.select('b');
  expect([here(), app.isSending('b'), app.isSending(null)]).toEqual([[], false, true]);
});

test('a message that is refused is no longer on its way', async () => {
  app.select('a');
  void app.send('hi');
  await socket().answer('send', error('busy', 'Wait.'));
  expect([app.unsentHere, app.isSending('a')]).toEqual([[], false]);
});

test('one message makes one new chat, however often it is sent meanwhile', async () => {
  void app.send('hi');
  expect(await app.send('hi')).toBeNull();
  expect(socket().commands('create').length).toBe(1);
});

test('a new chat whose tools are refused does not stay behind', async () => {
  app.toolbox.forNewChat = ['weather'];
  const sent = app.send('hi');
  await socket().answer('create');
  await socket().answer('settings', error('invalid', 'Too many.'));
  expect(socket().commands('delete')).toMatchObject([
    { conversation: socket().commands('create')[0]?.['conversation'] },
  ]);
  await socket().answer('delete');
  expect(await sent).toBeNull();
  expect([app.selected, socket().commands('send').length]).toEqual([null, 0]);
  expect(app.toolbox.forNewChat).toEqual(['weather']);
  void app.send('hi');
  expect(socket().commands('create').length).toBe(2);
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
