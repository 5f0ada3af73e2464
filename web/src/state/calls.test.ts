import { describe, expect, test } from 'vitest';
import type { Call, ConversationEvent, Progress } from '../protocol';
import { call, message, messageState, summary } from '../testing/frames';
import { isActive, newsOf } from './calls';
import { reduce, type ConversationView } from './conversation';

const answer = (calls: Call[]) =>
  message('a', { role: 'assistant', parent: 'q', status: 'streaming', epoch: 3, calls });
const writing = (args = '', name = 'weather') => call('k', { state: 'writing', name, arguments: args });

function view(calls: Call[] = []): ConversationView {
  const messages = [message('q'), answer(calls)];
  return { ...viewOf(reduce(null, snapshotOf(messages), 'run')) };
}
const snapshotOf = (messages: ReturnType<typeof message>[]): ConversationEvent => ({
  type: 'snapshot',
  conversation: 'c',
  seq: 7,
  summary: summary('c'),
  messages,
  more: false,
});
function viewOf(reduced: ReturnType<typeof reduce>): ConversationView {
  if (typeof reduced === 'string') throw new Error(reduced);
  return reduced.view;
}
function after(from: ConversationView, ...events: ConversationEvent[]): ConversationView {
  return events.reduce((held, event) => viewOf(reduce(held, event, 'run')), from);
}
const changed = (seq: number, index: number, changes: Call, progress: Progress | null = null) =>
  ({ type: 'call_changed', conversation: 'c', seq, message: 'a', index, call: changes, progress }) as const;
const args = (offset: number, text: string, changes: object = {}): ConversationEvent => ({
  type: 'arguments',
  conversation: 'c',
  message: 'a',
  epoch: 3,
  index: 0,
  offset,
  text,
  ...changes,
});
const calls = (held: ConversationView) => held.messages[1]?.calls ?? [];
const written = (held: ConversationView) => calls(held)[0]?.arguments;

describe('arguments', () => {
  test('grow by byte offsets, and what is there already is not added again', () => {
    const held = after(view([writing()]), args(0, '{"né'), args(0, '{"né👍'), args(9, '"'), args(5, '👍"'));
    expect(written(held)).toBe('{"né👍"');
    expect(calls(held)[0]?.argumentBytes).toBe(10);
  });

  test('go on where the snapshot ended', () => {
    expect(written(after(view([writing('{"a')]), args(0, '{"a":1'), args(6, '}')))).toBe('{"a":1}');
  });

  test('that leave a gap, or cut a character, are waited out', () => {
    for (const piece of [args(4, 'x'), args(0, 'ü', { offset: 2 })]) {
      const before = view([writing('{"é')]);
      expect(reduce(before, { ...piece, offset: 9 } as ConversationEvent, 'run')).toEqual({ view: before });
    }
    const before = view([writing('a')]);
    expect(reduce(before, args(0, 'é'), 'run')).toEqual({ view: before });
  });

  test('of another epoch, of an unknown call or of one that is written are left out', () => {
    const before = view([writing()]);
    for (const changes of [{ epoch: 2 }, { index: 1 }, { index: -1 }, { message: 'other' }])
      expect(reduce(before, args(0, '{}', changes), 'run')).toEqual({ view: before });
    const complete = view([call('k', { state: 'running', arguments: '' })]);
    expect(reduce(complete, args(0, '{}'), 'run')).toEqual({ view: complete });
  });

  test('come whole with the change of the call, whatever was missed', () => {
    const held = after(view([writing()]), args(8, 'lost'), changed(8, 0, call('k', { state: 'running' })));
    expect(written(held)).toBe('{"city":"Bremen"}');
    expect(calls(held)[0]?.argumentBytes).toBe(17);
  });
});

describe('a change of a call', () => {
  test('adds it in its place, and does not fit when one before it is missing', () => {
    const held = after(view(), changed(8, 0, writing('', '')), changed(9, 1, call('l')));
    expect(calls(held).map((c) => c.call)).toEqual(['k', 'l']);
    expect(held.seq).toBe(9);
    for (const index of [3, -1]) expect(reduce(held, changed(10, index, call('m')), 'run')).toBe('misfit');
  });

  test('is numbered like any other event', () => {
    const held = after(view(), changed(8, 0, call('k')), changed(8, 0, writing()));
    expect(calls(held)[0]?.state).toBe('done');
    expect(reduce(held, changed(10, 0, call('k')), 'run')).toBe('resync');
  });

  test('of a message in another branch is counted and left out', () => {
    const held = after(view(), { ...changed(8, 0, call('k')), message: 'other' });
    expect(held.seq).toBe(8);
    expect(calls(held)).toEqual([]);
  });

  test('tells the progress, which a change of the message keeps while the call runs', () => {
    const running = call('k', { state: 'running' });
    const progress = { message: 'page 2', fraction: 0.5 };
    const told = after(view([running]), changed(8, 0, running, progress));
    const end = (state: Call['state']): ConversationEvent => ({
      type: 'message_changed',
      conversation: 'c',
      seq: 9,
      message: { ...messageState('a'), role: 'assistant', calls: [call('k', { state })] },
      text_bytes: 0,
    });
    expect(calls(after(told, end('running')))[0]?.progress).toEqual(progress);
    expect(calls(after(told, end('done')))[0]?.progress).toBeNull();
  });

  test('leaves the other messages and calls as they are', () => {
    const before = view([call('k'), writing()]);
    const held = after(before, args(0, '{', { index: 1 }));
    expect(held.messages[0]).toBe(before.messages[0]);
    expect(calls(held)[0]).toBe(calls(before)[0]);
  });
});

test('a call that was begun and taken back leaves with the change of its message', () => {
  const back: ConversationEvent = {
    type: 'message_changed',
    conversation: 'c',
    seq: 8,
    message: { ...messageState('a'), role: 'assistant', status: 'streaming', epoch: 3 },
    text_bytes: 0,
  };
  expect(calls(after(view([writing('', '')]), back))).toEqual([]);
});

test('the news are of what waits for the user, then of what runs, then of what ended last', () => {
  const done = call('a', { name: 'clock' });
  const failed = call('b', { name: 'files', state: 'failed' });
  const running = call('c', { name: 'fetch', state: 'running' });
  const waiting = call('d', { name: 'mail', state: 'awaiting_approval' });
  expect(newsOf([])).toBe('');
  expect(newsOf([writing()])).toBe('');
  expect(newsOf([done, failed])).toBe('files: Failed');
  expect(newsOf([running, done, failed])).toBe('fetch: Running');
  expect(newsOf([waiting, running, done])).toBe('mail: Waits for your decision');
  expect(newsOf([call('e', { name: '', state: 'failed' })])).toBe('a tool: Failed');
});

test('calls that wait, run or are written are active', () => {
  const states = [
    'writing',
    'awaiting_approval',
    'running',
    'done',
    'failed',
    'denied',
    'cancelled',
  ] as const;
  expect(states.map((state) => isActive(call('k', { state })))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
