// Text of a WebSocket message to a typed frame. Strict: a frame with a missing or mistyped field is null as a whole,
// so that no view ever meets half a frame. Unknown fields are ignored.
import type {
  ChatSettings,
  ErrorCode,
  Frame,
  Limits,
  Message,
  MessageState,
  Model,
  Summary,
  Timings,
  Usage,
} from './protocol';

type Fields = Record<string, unknown>;

// Thrown and caught inside this file only.
class Malformed extends Error {}

function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed();
  return value as Fields;
}
function text(value: unknown): string {
  if (typeof value !== 'string') throw new Malformed();
  return value;
}
function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Malformed();
  return value;
}
function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Malformed();
  return value;
}
function list<T>(value: unknown, item: (v: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Malformed();
  return value.map(item);
}
function nullable<T>(value: unknown, read: (v: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}
function oneOf<T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Malformed();
  return found;
}

function model(value: unknown): Model {
  const f = fields(value);
  return {
    name: text(f['name']),
    state: oneOf(f['state'], ['loading', 'ready', 'failed'] as const),
    progress: number(f['progress']),
    error: nullable(f['error'], text),
    architecture: text(f['architecture']),
    quantisation: text(f['quantisation']),
    file_bytes: number(f['file_bytes']),
    max_context: number(f['max_context']),
  };
}

function limits(value: unknown): Limits {
  const f = fields(value);
  return {
    frame_bytes: number(f['frame_bytes']),
    message_bytes: number(f['message_bytes']),
    title_bytes: number(f['title_bytes']),
    system_prompt_bytes: number(f['system_prompt_bytes']),
  };
}

function settings(value: unknown): ChatSettings {
  const f = fields(value);
  return {
    system_prompt: text(f['system_prompt']),
    temperature: nullable(f['temperature'], number),
    max_tokens: nullable(f['max_tokens'], number),
  };
}

function summary(value: unknown): Summary {
  const f = fields(value);
  return {
    conversation: text(f['conversation']),
    title: text(f['title']),
    settings: settings(f['settings']),
    created_at: number(f['created_at']),
    updated_at: number(f['updated_at']),
    deleted: flag(f['deleted']),
    answering: flag(f['answering']),
  };
}

function usage(value: unknown): Usage {
  const f = fields(value);
  return {
    prompt_tokens: number(f['prompt_tokens']),
    cached_tokens: number(f['cached_tokens']),
    completion_tokens: number(f['completion_tokens']),
  };
}

function timings(value: unknown): Timings {
  const f = fields(value);
  return {
    first_token_ms: number(f['first_token_ms']),
    total_ms: number(f['total_ms']),
    tokens_per_second: number(f['tokens_per_second']),
  };
}

function messageState(value: unknown): MessageState {
  const f = fields(value);
  return {
    message: text(f['message']),
    parent: nullable(f['parent'], text),
    role: oneOf(f['role'], ['user', 'assistant'] as const),
    status: oneOf(f['status'], ['complete', 'streaming', 'stopped', 'interrupted', 'failed'] as const),
    error: nullable(f['error'], text),
    stop_reason: nullable(f['stop_reason'], (v) => oneOf(v, ['stop', 'length', 'stopped'] as const)),
    model: text(f['model']),
    epoch: number(f['epoch']),
    created_at: number(f['created_at']),
    usage: nullable(f['usage'], usage),
    timings: nullable(f['timings'], timings),
    left_out_turns: number(f['left_out_turns']),
  };
}

function message(value: unknown): Message {
  return { ...messageState(value), text: text(fields(value)['text']) };
}

function hello(f: Fields): Frame {
  const defaults = fields(f['defaults']);
  return {
    type: 'hello',
    protocol: number(f['protocol']),
    server: text(f['server']),
    instance: text(f['instance']),
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
  changed: (f) => ({
    type: 'changed',
    conversation: text(f['conversation']),
    seq: number(f['seq']),
    summary: summary(f['summary']),
  }),
  delta: (f) => ({
    type: 'delta',
    conversation: text(f['conversation']),
    message: text(f['message']),
    epoch: number(f['epoch']),
    offset: number(f['offset']),
    text: text(f['text']),
  }),
  listed: (f) => ({ type: 'listed', item: summary(f['item']) }),
  model: (f) => ({ type: 'model', model: model(f['model']) }),
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
