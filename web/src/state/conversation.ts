// What a tab knows of one open conversation, and how events change it. Pure: an event makes a new view of it, or says
// that the view no longer fits and must be asked for again.
import type { ConversationEvent, Delta, Have, Message, MessageChanged, Summary } from '../protocol';
import { dropUtf8Bytes, utf8Length } from '../text/utf8';

export interface HeldMessage extends Message {
  bytes: number; // UTF-8 length of text, so that deltas need not count it anew
}

export interface ConversationView {
  conversation: string;
  instance: string; // of the server's run that numbered the events
  seq: number;
  summary: Summary;
  messages: HeldMessage[]; // the shown branch, oldest first
  more: boolean; // older messages exist on the server
}

export type Reduced = { view: ConversationView } | 'resync';

export function hold(message: Message): HeldMessage {
  return { ...message, bytes: utf8Length(message.text) };
}

export function reduce(view: ConversationView | null, event: ConversationEvent, instance: string): Reduced {
  if (event.type === 'snapshot') {
    const messages = event.messages.map(hold);
    const { conversation, seq, summary, more } = event;
    return { view: { conversation, instance, seq, summary, messages, more } };
  }
  if (!view || view.conversation !== event.conversation) return 'resync';
  if (event.type === 'delta') return applyDelta(view, event);
  if (event.seq <= view.seq) return { view }; // seen already
  if (event.seq !== view.seq + 1) return 'resync';
  const next = { ...view, seq: event.seq };
  if (event.type === 'changed') return { view: { ...next, summary: event.summary } };
  if (event.type === 'message_added') return addMessage(next, hold(event.message));
  return changeMessage(next, event);
}

// Hangs the message under its parent; what was below that leaves the view.
function addMessage(view: ConversationView, message: HeldMessage): Reduced {
  if (message.parent === null) return { view: { ...view, messages: [message], more: false } };
  const parent = view.messages.findIndex((m) => m.message === message.parent);
  if (parent < 0) return 'resync';
  return { view: { ...view, messages: [...view.messages.slice(0, parent + 1), message] } };
}

function changeMessage(view: ConversationView, event: MessageChanged): Reduced {
  const index = view.messages.findIndex((m) => m.message === event.message.message);
  const old = view.messages[index];
  if (!old) return { view }; // of another branch
  if (old.bytes !== event.text_bytes) return 'resync';
  return { view: replace(view, index, { ...old, ...event.message, text: old.text }) };
}

function applyDelta(view: ConversationView, delta: Delta): Reduced {
  const index = view.messages.findIndex((m) => m.message === delta.message);
  const old = view.messages[index];
  if (!old) return { view };
  if (old.epoch !== delta.epoch || delta.offset > old.bytes) return 'resync';
  const added = dropUtf8Bytes(delta.text, old.bytes - delta.offset);
  if (added === null || added === '') return { view };
  const message = { ...old, text: old.text + added, bytes: old.bytes + utf8Length(added) };
  return { view: replace(view, index, message) };
}

function replace(view: ConversationView, index: number, message: HeldMessage): ConversationView {
  const messages = view.messages.slice();
  messages[index] = message;
  return { ...view, messages };
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
