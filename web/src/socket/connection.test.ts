import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeSocket } from '../testing/fake_socket';
import { hello } from '../testing/frames';
import { backoffMs } from './backoff';
import { CommandFailed, Connection, type ConnectionState } from './connection';

let states: ConnectionState[];
let frames: unknown[];
let connection: Connection;
const socket = (index: number): FakeSocket => FakeSocket.all[index] ?? new FakeSocket();
const list = { type: 'list', before: null, limit: 1 } as const;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  states = [];
  frames = [];
  let id = 0;
  connection = new Connection(
    {
      url: 'ws://x/ws',
      makeSocket: () => new FakeSocket() as unknown as WebSocket,
      makeId: () => `id-${++id}`,
      random: () => 1,
    },
    { state: (s) => states.push(s), frame: (f) => frames.push(f), failure: () => undefined },
  );
  connection.open();
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

test('waits longer each time, up to ten seconds, with jitter', () => {
  expect([0, 1, 2, 3].map((n) => backoffMs(n, 1))).toEqual([250, 500, 1000, 2000]);
  expect(backoffMs(50, 1)).toBe(10_000);
  expect(backoffMs(50, 0)).toBe(5_000);
});

test('sends nothing before the server has greeted, then all that waits', async () => {
  const answer = connection.send(list);
  expect(socket(0).sent).toEqual([]);
  socket(0).receive(hello);
  expect(JSON.parse(socket(0).sent[0] ?? '')).toEqual({ ...list, id: 'id-1' });
  socket(0).receive({ type: 'conversations', re: 'id-1', items: [], more: false });
  expect(await answer).toMatchObject({ type: 'conversations' });
});

test('repeats unanswered commands with the same id over the next socket', async () => {
  socket(0).receive(hello);
  const answer = connection.send({ type: 'send', conversation: 'c', text: 'hi' });
  socket(0).close();
  expect(states.at(-1)).toBe('waiting');
  vi.advanceTimersByTime(250);
  socket(1).receive(hello);
  expect(socket(1).sent).toEqual(socket(0).sent);
  socket(1).receive({ type: 'ack', re: 'id-1' });
  await answer;
  socket(1).close();
  vi.advanceTimersByTime(250);
  socket(2).receive(hello);
  expect(socket(2).sent).toEqual([]);
});

test('what was too large for the server is given up, the rest is repeated', async () => {
  socket(0).receive(hello);
  const short = connection.send({ type: 'send', conversation: 'c', text: 'hi' });
  const large = connection.send({ type: 'send', conversation: 'c', text: 'é'.repeat(900) });
  const letters = connection.send({ type: 'send', conversation: 'c', text: 'e'.repeat(1000) }); // fewer bytes
  socket(0).close(1009);
  await expect(large).rejects.toMatchObject({ frame: { re: 'id-2', code: 'too_long' } });
  vi.advanceTimersByTime(250);
  expect(socket(1).sent).toEqual([]);
  socket(1).receive(hello);
  expect(socket(1).sent).toEqual([socket(0).sent[0], socket(0).sent[2]]);
  for (const re of ['id-1', 'id-3']) socket(1).receive({ type: 'ack', re });
  await Promise.all([short, letters]);
});

test('a close for size before anything was sent gives nothing up', () => {
  void connection.send(list);
  socket(0).close(1009);
  vi.advanceTimersByTime(250);
  socket(1).receive(hello);
  expect(socket(1).sent.length).toBe(1);
});

test('a command for one socket fails with it', async () => {
  socket(0).receive(hello);
  const answer = connection.sendOnce({ type: 'close', conversation: 'c' });
  socket(0).close();
  await expect(answer).rejects.toBeInstanceOf(CommandFailed);
});

test('an error answer rejects with its frame', async () => {
  socket(0).receive(hello);
  const answer = connection.send(list);
  socket(0).receive({ type: 'error', re: 'id-1', code: 'invalid', message: 'limit' });
  await expect(answer).rejects.toMatchObject({ frame: { code: 'invalid' } });
});

test('frames that are none are ignored, events are handed on', () => {
  socket(0).receive(hello);
  socket(0).receive({ type: 'nonsense' });
  socket(0).receive({ type: 'model', model: hello.model });
  expect(frames.map((f) => (f as { type: string }).type)).toEqual(['hello', 'model']);
});

test('hurry connects at once instead of after the wait', () => {
  socket(0).receive(hello);
  socket(0).close();
  connection.hurry();
  expect(FakeSocket.all.length).toBe(2);
  vi.advanceTimersByTime(20_000);
  expect(FakeSocket.all.length).toBe(2);
});
