import { describe, expect, test } from 'vitest';
import type { ConversationEvent } from '../protocol';
import { call, message, summary } from '../testing/frames';
import { have, prepend, reduce, withoutPreparing, type ConversationView } from './conversation';

const question = message('q', { text: 'Grüße' });
const answer = message('a', { role: 'assistant', parent: 'q', status: 'streaming', epoch: 1 });

function after(events: ConversationEvent[], from: ConversationView | null = null): ConversationView {
  let view = from;
  for (const event of events) {
    const reduced = reduce(view, event, 'run');
    if (typeof reduced === 'string') throw new Error(`${reduced} at ${event.type}`);
    view = reduced.view;
  }
  if (!view) throw new Error('no view');
  return view;
}
const snapshot: ConversationEvent = {
  type: 'snapshot',
  conversation: 'c',
  seq: 7,
  summary: summary('c'),
  messages: [question, answer],
  more: false,
};
const delta = (offset: number, text: string, epoch = 1): ConversationEvent => ({
  type: 'delta',
  conversation: 'c',
  message: 'a',
  epoch,
  offset,
  text,
});

describe('deltas', () => {
  test('grow the answer by byte offsets', () => {
    const view = after([snapshot, delta(0, 'né'), delta(3, '👍'), delta(7, '!')]);
    expect(view.messages[1]?.text).toBe('né👍!');
    expect(view.messages[1]?.bytes).toBe(8);
  });

  test('what is there already is not added again', () => {
    const view = after([snapshot, delta(0, 'né'), delta(0, 'né👍'), delta(0, 'né')]);
    expect(view.messages[1]?.text).toBe('né👍');
  });

  test('a gap or another epoch asks for the conversation again', () => {
    const view = after([snapshot, delta(0, 'ab')]);
    expect(reduce(view, delta(3, 'x'), 'run')).toBe('resync');
    expect(reduce(view, delta(2, 'x', 2), 'run')).toBe('resync');
  });

  test('any cut of a text into overlapping deltas gives the text', () => {
    const whole = 'Ein Bär 🐻 frißt Honig – ja, wirklich: 蜂蜜!';
    const bytes = new TextEncoder().encode(whole);
    const borders = [0];
    for (let i = 1; i <= bytes.length; i++) if (((bytes[i] ?? 0) & 0xc0) !== 0x80) borders.push(i);
    let view = after([snapshot]);
    let seed = 1;
    while ((view.messages[1]?.bytes ?? 0) < bytes.length) {
      seed = (seed * 48271) % 2147483647;
      const held = borders.indexOf(view.messages[1]?.bytes ?? 0);
      const begin = borders[Math.max(0, held - (seed % 4))] ?? 0;
      const end = borders[Math.min(borders.length - 1, held + 1 + (seed % 5))] ?? bytes.length;
      view = after([delta(begin, new TextDecoder().decode(bytes.subarray(begin, end)))], view);
    }
    expect(view.messages[1]?.text).toBe(whole);
  });
});

describe('numbered events', () => {
  test('come once and without gaps', () => {
    const renamed: ConversationEvent = {
      type: 'changed',
      conversation: 'c',
      seq: 8,
      summary: summary('c', { title: 'new' }),
    };
    const view = after([snapshot, renamed, renamed]);
    expect(view.summary.title).toBe('new');
    expect(view.seq).toBe(8);
    expect(reduce(view, { ...renamed, seq: 10 }, 'run')).toBe('resync');
  });

  test('a message hangs under its parent and replaces the branch that was shown', () => {
    const other = message('b', { role: 'assistant', parent: 'q' });
    const view = after([snapshot, { type: 'message_added', conversation: 'c', seq: 8, message: other }]);
    expect(view.messages.map((m) => m.message)).toEqual(['q', 'b']);
  });

  test('a message under one that is not held fits no view but a new one', () => {
    const stray = message('x', { parent: 'unknown' });
    const view = after([snapshot]);
    expect(reduce(view, { type: 'message_added', conversation: 'c', seq: 8, message: stray }, 'run')).toBe(
      'misfit',
    );
  });

  test('the end of an answer keeps its text', () => {
    const view = after([
      snapshot,
      delta(0, 'done'),
      {
        type: 'message_changed',
        conversation: 'c',
        seq: 8,
        message: { ...answer, status: 'complete', stop_reason: 'stop' },
        text_bytes: 4,
      },
    ]);
    expect(view.messages[1]).toMatchObject({ text: 'done', status: 'complete' });
  });

  test('an end of another text than the one that is held does not fit', () => {
    const end: ConversationEvent = {
      type: 'message_changed',
      conversation: 'c',
      seq: 8,
      message: { ...answer, status: 'complete' },
      text_bytes: 5,
    };
    expect(reduce(after([snapshot]), end, 'run')).toBe('misfit');
  });
});

describe('what may become a call', () => {
  const preparing = (epoch = 1): ConversationEvent => ({
    type: 'preparing',
    conversation: 'c',
    message: 'a',
    epoch,
  });
  const isPreparing = (view: ConversationView) => view.messages[1]?.preparing;
  const ended: ConversationEvent = {
    type: 'message_changed',
    conversation: 'c',
    seq: 8,
    message: { ...answer, status: 'stopped' },
    text_bytes: 0,
  };
  const begun: ConversationEvent = {
    type: 'call_changed',
    conversation: 'c',
    seq: 8,
    message: 'a',
    index: 0,
    call: call('k', { state: 'writing' }),
    progress: null,
  };

  test('is prepared until anything else comes of the answer', () => {
    expect(isPreparing(after([snapshot]))).toBe(false);
    expect(isPreparing(after([snapshot, preparing()]))).toBe(true);
    for (const event of [delta(0, 'x'), ended, begun])
      expect(isPreparing(after([snapshot, preparing(), event])), event.type).toBe(false);
    expect(isPreparing(after([snapshot, preparing(), snapshot]))).toBe(false);
  });

  test('of another epoch, or of an answer that ended, is nothing', () => {
    expect(isPreparing(after([snapshot, preparing(2)]))).toBe(false);
    expect(isPreparing(after([snapshot, ended, preparing()]))).toBe(false);
  });

  test('is told anew when the conversation is opened again', () => {
    const view = after([snapshot, preparing()]);
    expect(isPreparing(withoutPreparing(view))).toBe(false);
    expect(withoutPreparing(after([snapshot])).messages).toEqual(after([snapshot]).messages);
  });
});

test('what is held is told when opening again', () => {
  const view = after([snapshot, delta(0, 'né')]);
  expect(have(view)).toEqual({ instance: 'run', seq: 7, message: 'a', epoch: 1, offset: 3 });
  expect(have(null)).toBeNull();
});

test('older messages go in front, unless the view has moved on', () => {
  const view = after([snapshot]);
  expect(prepend(view, 'q', [message('o')], true).messages.map((m) => m.message)).toEqual(['o', 'q', 'a']);
  expect(prepend(view, 'z', [message('o')], true)).toBe(view);
});

test('an event of a conversation that is not held asks for it', () => {
  expect(reduce(null, delta(0, 'x'), 'run')).toBe('resync');
});
