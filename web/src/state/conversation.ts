// What a tab knows of one open conversation, and how events change it. Pure: an event makes a new view of it, or says
// that something was missed ('resync': the server can go on from what is held), or that what is held does not fit it
// ('misfit': only a snapshot helps, since going on would bring the same event again).
import type {
  ConversationEvent,
  Delta,
  Have,
  Message,
  MessageChanged,
  Preparing,
  Summary,
} from '../protocol';
import { dropUtf8Bytes, utf8Length } from '../text/utf8';
import { changeCall, growArguments, holdCalls, type HeldCall } from './calls';

export interface HeldMessage extends Message {
  calls: HeldCall[];
  bytes: number; // UTF-8 length of text, so that deltas need not count it anew
  preparing: boolean; // what comes is held back, since it may become a call
}

export interface ConversationView {
  conversation: string;
  instance: string; // of the server's run that numbered the events
  seq: number;
  summary: Summary;
  messages: HeldMessage[]; // the shown branch, oldest first
  more: boolean; // older messages exist on the server
}

export type Reduced = { view: ConversationView } | 'resync' | 'misfit';

export function hold(message: Message): HeldMessage {
  const calls = holdCalls(message.calls, []);
  return { ...message, calls, bytes: utf8Length(message.text), preparing: false };
}

export function reduce(view: ConversationView | null, event: ConversationEvent, instance: string): Reduced {
  if (event.type === 'snapshot') {
    const messages = event.messages.map(hold);
    const { conversation, seq, summary, more } = event;
    return { view: { conversation, instance, seq, summary, messages, more } };
  }
  if (!view || view.conversation !== event.conversation) return 'resync';
  if (event.type === 'delta') return applyDelta(view, event);
  if (event.type === 'arguments') {
    return replace(view, event.message, (message) => growArguments(message, event));
  }
  if (event.type === 'preparing') {
    return replace(view, event.message, (message) => prepare(message, event));
  }
  if (event.seq <= view.seq) return { view }; // seen already
  if (event.seq !== view.seq + 1) return 'resync';
  const next = { ...view, seq: event.seq };
  if (event.type === 'changed') return { view: { ...next, summary: event.summary } };
  if (event.type === 'message_added') return addMessage(next, hold(event.message));
  if (event.type === 'call_changed') {
    return replace(next, event.message, (message) => changeCall(message, event));
  }
  return replace(next, event.message.message, (message) => changeMessage(message, event));
}

// Hangs the message under its parent; what was below that leaves the view.
function addMessage(view: ConversationView, message: HeldMessage): Reduced {
  if (message.parent === null) return { view: { ...view, messages: [message], more: false } };
  const parent = view.messages.findIndex((m) => m.message === message.parent);
  if (parent < 0) return 'misfit';
  return { view: { ...view, messages: [...view.messages.slice(0, parent + 1), message] } };
}

function changeMessage(old: HeldMessage, event: MessageChanged): HeldMessage | 'misfit' {
  if (old.bytes !== event.text_bytes) return 'misfit';
  const calls = holdCalls(event.message.calls, old.calls);
  return { ...old, ...event.message, calls, text: old.text, preparing: false };
}

function prepare(old: HeldMessage, event: Preparing): HeldMessage {
  if (old.preparing || old.epoch !== event.epoch || old.status !== 'streaming') return old;
  return { ...old, preparing: true };
}

function applyDelta(view: ConversationView, delta: Delta): Reduced {
  return replace(view, delta.message, (old) => {
    if (old.epoch !== delta.epoch || delta.offset > old.bytes) return 'resync';
    const added = dropUtf8Bytes(delta.text, old.bytes - delta.offset);
    if (added === null || added === '') return old;
    return { ...old, text: old.text + added, bytes: old.bytes + utf8Length(added), preparing: false };
  });
}

// A message that is not held is of another branch.
function replace(
  view: ConversationView,
  id: string,
  change: (message: HeldMessage) => HeldMessage | 'resync' | 'misfit',
): Reduced {
  const index = view.messages.findLastIndex((m) => m.message === id);
  const old = view.messages[index];
  if (!old) return { view };
  const message = change(old);
  if (message === 'resync' || message === 'misfit') return message;
  if (message === old) return { view };
  const messages = view.messages.slice();
  messages[index] = message;
  return { view: { ...view, messages } };
}

// Older messages, as asked for; ignored when the view has moved on meanwhile.
export function prepend(
  view: ConversationView,
  before: string,
  older: Message[],
  more: boolean,
): ConversationView {
  if (view.messages[0]?.message !== before) return view;
  return { ...view, messages: [...older.map(hold), ...view.messages], more };
}

// Before it is opened again: that a call is being prepared is then told again, or it is not.
export function withoutPreparing(view: ConversationView): ConversationView {
  if (!view.messages.some((m) => m.preparing)) return view;
  return { ...view, messages: view.messages.map((m) => (m.preparing ? { ...m, preparing: false } : m)) };
}

// What to tell the server when the conversation is opened again.
export function have(view: ConversationView | null): Have | null {
  if (!view) return null;
  const growing = view.messages.findLast((m) => m.status === 'streaming');
  return {
    instance: view.instance,
    seq: view.seq,
    message: growing?.message ?? null,
    epoch: growing?.epoch ?? 0,
    offset: growing?.bytes ?? 0,
  };
}
