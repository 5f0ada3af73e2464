// Text of a WebSocket message to a typed frame. Strict: a frame with a missing or mistyped field is null as a whole,
// so that no view ever meets half a frame. Unknown fields are ignored.
import { fields, flag, list, Malformed, nullable, number, oneOf, text, type Fields } from './parse_fields';
import {
  approval,
  auditRecord,
  call,
  limits,
  message,
  messageState,
  model,
  progress,
  summary,
  tool,
  toolServer,
} from './parse_values';
import type { ErrorCode, Frame } from './protocol';

function hello(f: Fields): Frame {
  const defaults = fields(f['defaults']);
  return {
    type: 'hello',
    protocol: number(f['protocol']),
    server: text(f['server']),
    instance: text(f['instance']),
    time: number(f['time']),
    limits: limits(f['limits']),
    defaults: {
      temperature: number(defaults['temperature']),
      max_tokens: nullable(defaults['max_tokens'], number),
    },
    model: model(f['model']),
  };
}

const errorCodes: readonly ErrorCode[] = [
  'bad_frame',
  'unknown_type',
  'invalid',
  'not_found',
  'busy',
  'too_long',
  'conflict',
  'unavailable',
  'rate_limited',
  'internal',
];

const readers: Record<Frame['type'], (f: Fields) => Frame> = {
  hello,
  ack: (f) => {
    const id = f['message'];
    return { type: 'ack', re: text(f['re']), ...(id === undefined ? {} : { message: text(id) }) };
  },
  error: (f) => ({
    type: 'error',
    re: nullable(f['re'], text),
    code: oneOf(f['code'], errorCodes),
    message: text(f['message']),
  }),
  conversations: (f) => ({
    type: 'conversations',
    re: text(f['re']),
    items: list(f['items'], summary),
    more: flag(f['more']),
  }),
  messages: (f) => ({
    type: 'messages',
    re: text(f['re']),
    conversation: text(f['conversation']),
    items: list(f['items'], message),
    more: flag(f['more']),
  }),
  models: (f) => ({ type: 'models', re: text(f['re']), items: list(f['items'], model) }),
  tools: (f) => ({
    type: 'tools',
    re: text(f['re']),
    items: list(f['items'], tool),
    counted: flag(f['counted']),
    profile: oneOf(f['profile'], ['native', 'weak', 'none'] as const),
    approvals: list(f['approvals'], approval),
    servers: list(f['servers'], toolServer),
    problems: list(f['problems'], text),
    file: nullable(f['file'], text),
    off: nullable(f['off'], text),
  }),
  output: (f) => ({
    type: 'output',
    re: text(f['re']),
    offset: number(f['offset']),
    text: text(f['text']),
    bytes: number(f['bytes']),
  }),
  audit: (f) => ({
    type: 'audit',
    re: text(f['re']),
    items: list(f['items'], auditRecord),
    before: nullable(f['before'], number),
    damaged: number(f['damaged']),
  }),
  snapshot: (f) => ({
    type: 'snapshot',
    conversation: text(f['conversation']),
    seq: number(f['seq']),
    summary: summary(f['summary']),
    messages: list(f['messages'], message),
    more: flag(f['more']),
  }),
  message_added: (f) => ({
    type: 'message_added',
    conversation: text(f['conversation']),
    seq: number(f['seq']),
    message: message(f['message']),
  }),
  message_changed: (f) => ({
    type: 'message_changed',
    conversation: text(f['conversation']),
    seq: number(f['seq']),
    message: messageState(f['message']),
    text_bytes: number(f['text_bytes']),
  }),
  call_changed: (f) => ({
    type: 'call_changed',
    conversation: text(f['conversation']),
    seq: number(f['seq']),
    message: text(f['message']),
    index: number(f['index']),
    call: call(f['call']),
    progress: nullable(f['progress'], progress),
  }),
  changed: (f) => ({
    type: 'changed',
    conversation: text(f['conversation']),
    seq: number(f['seq']),
    summary: summary(f['summary']),
  }),
  arguments: (f) => ({
    type: 'arguments',
    conversation: text(f['conversation']),
    message: text(f['message']),
    epoch: number(f['epoch']),
    index: number(f['index']),
    offset: number(f['offset']),
    text: text(f['text']),
  }),
  delta: (f) => ({
    type: 'delta',
    conversation: text(f['conversation']),
    message: text(f['message']),
    epoch: number(f['epoch']),
    offset: number(f['offset']),
    text: text(f['text']),
  }),
  preparing: (f) => ({
    type: 'preparing',
    conversation: text(f['conversation']),
    message: text(f['message']),
    epoch: number(f['epoch']),
  }),
  listed: (f) => ({ type: 'listed', item: summary(f['item']) }),
  model: (f) => ({ type: 'model', model: model(f['model']) }),
  tools_changed: () => ({ type: 'tools_changed' }),
};

export function parseFrame(data: unknown): Frame | null {
  if (typeof data !== 'string') return null;
  try {
    const f = fields(JSON.parse(data));
    const type = f['type'];
    if (typeof type !== 'string' || !Object.hasOwn(readers, type)) return null;
    return readers[type as Frame['type']](f);
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return null;
    throw error;
  }
}
