// The values that frames consist of, read strictly. For parse_frame.ts alone.
import { fields, flag, list, nullable, number, oneOf, text } from './parse_fields';
import type {
  Approval,
  AuditRecord,
  Call,
  CallPreview,
  CallState,
  ChatSettings,
  Limits,
  Message,
  MessageState,
  Model,
  Progress,
  StopReason,
  Summary,
  Timings,
  Tool,
  ToolServer,
  Usage,
} from './protocol';

const stopReasons: readonly StopReason[] = ['stop', 'length', 'stopped', 'tool_calls'];
const callStates: readonly CallState[] = [
  'writing',
  'awaiting_approval',
  'running',
  'done',
  'failed',
  'denied',
  'cancelled',
  'interrupted',
];

export function model(value: unknown): Model {
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

export function limits(value: unknown): Limits {
  const f = fields(value);
  return {
    frame_bytes: number(f['frame_bytes']),
    message_bytes: number(f['message_bytes']),
    title_bytes: number(f['title_bytes']),
    system_prompt_bytes: number(f['system_prompt_bytes']),
  };
}

export function settings(value: unknown): ChatSettings {
  const f = fields(value);
  return {
    system_prompt: text(f['system_prompt']),
    temperature: nullable(f['temperature'], number),
    max_tokens: nullable(f['max_tokens'], number),
    tools: nullable(f['tools'], (names) => list(names, text)),
  };
}

export function summary(value: unknown): Summary {
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

export function usage(value: unknown): Usage {
  const f = fields(value);
  return {
    prompt_tokens: number(f['prompt_tokens']),
    cached_tokens: number(f['cached_tokens']),
    completion_tokens: number(f['completion_tokens']),
  };
}

export function timings(value: unknown): Timings {
  const f = fields(value);
  return {
    first_token_ms: number(f['first_token_ms']),
    total_ms: number(f['total_ms']),
    tokens_per_second: number(f['tokens_per_second']),
    reasoning_ms: number(f['reasoning_ms']),
  };
}

function preview(value: unknown): CallPreview {
  const f = fields(value);
  return {
    kind: oneOf(f['kind'], ['command', 'request', 'mcp', 'builtin'] as const),
    words: list(f['words'], text),
    input: text(f['input']),
  };
}

export function call(value: unknown): Call {
  const f = fields(value);
  return {
    call: text(f['call']),
    name: text(f['name']),
    source: text(f['source']),
    state: oneOf(f['state'], callStates),
    arguments: text(f['arguments']),
    preview: nullable(f['preview'], preview),
    definition: nullable(f['definition'], text),
    result: text(f['result']),
    output_bytes: number(f['output_bytes']),
    images: list(f['images'], text),
    decision: nullable(f['decision'], (v) => oneOf(v, ['auto', 'once', 'chat', 'always', 'denied'] as const)),
    elapsed_ms: number(f['elapsed_ms']),
    started_at: nullable(f['started_at'], number),
  };
}

export function progress(value: unknown): Progress {
  const f = fields(value);
  return { message: text(f['message']), fraction: nullable(f['fraction'], number) };
}

export function messageState(value: unknown): MessageState {
  const f = fields(value);
  return {
    message: text(f['message']),
    parent: nullable(f['parent'], text),
    role: oneOf(f['role'], ['user', 'assistant'] as const),
    calls: list(f['calls'], call),
    status: oneOf(f['status'], ['complete', 'streaming', 'stopped', 'interrupted', 'failed'] as const),
    error: nullable(f['error'], text),
    stop_reason: nullable(f['stop_reason'], (v) => oneOf(v, stopReasons)),
    model: text(f['model']),
    epoch: number(f['epoch']),
    created_at: number(f['created_at']),
    usage: nullable(f['usage'], usage),
    timings: nullable(f['timings'], timings),
    left_out_turns: number(f['left_out_turns']),
  };
}

export function message(value: unknown): Message {
  return { ...messageState(value), text: text(fields(value)['text']) };
}

export function tool(value: unknown): Tool {
  const f = fields(value);
  return {
    name: text(f['name']),
    description: text(f['description']),
    source: text(f['source']),
    policy: oneOf(f['policy'], ['auto', 'ask', 'deny'] as const),
    tokens: number(f['tokens']),
    chosen: flag(f['chosen']),
  };
}

export function approval(value: unknown): Approval {
  const f = fields(value);
  return {
    tool: text(f['tool']),
    source: text(f['source']),
    conversation: nullable(f['conversation'], text),
    since: nullable(f['since'], number),
    holds: flag(f['holds']),
  };
}

export function toolServer(value: unknown): ToolServer {
  const f = fields(value);
  return {
    name: text(f['name']),
    state: oneOf(f['state'], ['starting', 'ready', 'failed', 'restarting', 'off'] as const),
    error: nullable(f['error'], text),
    tools: number(f['tools']),
    log: list(f['log'], text),
  };
}

export function auditRecord(value: unknown): AuditRecord {
  const f = fields(value);
  return {
    at: number(f['at']),
    time: number(f['time']),
    conversation: nullable(f['conversation'], text),
    tool: text(f['tool']),
    source: text(f['source']),
    decision: text(f['decision']),
    end: text(f['end']),
    elapsed_ms: number(f['elapsed_ms']),
  };
}
