// The frames of docs/protocol.md, in the order of that page and of app/protocol/frames.h. parse_frame.ts is the only
// place that makes them from text.

export const PROTOCOL_VERSION = 1;

export type ModelState = 'loading' | 'ready' | 'failed';
export interface Model {
  name: string;
  state: ModelState;
  progress: number;
  error: string | null;
  architecture: string;
  quantisation: string;
  file_bytes: number;
  max_context: number;
}

export interface Limits {
  frame_bytes: number;
  message_bytes: number;
  title_bytes: number;
  system_prompt_bytes: number;
}

export interface ChatSettings {
  system_prompt: string;
  temperature: number | null;
  max_tokens: number | null;
}

export interface Summary {
  conversation: string;
  title: string;
  settings: ChatSettings;
  created_at: number;
  updated_at: number;
  deleted: boolean;
  answering: boolean;
}

export type StopReason = 'stop' | 'length' | 'stopped';
export type Status = 'complete' | 'streaming' | 'stopped' | 'interrupted' | 'failed';
export interface Usage {
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
}
export interface Timings {
  first_token_ms: number;
  total_ms: number;
  tokens_per_second: number;
}
export interface MessageState {
  message: string;
  parent: string | null;
  role: 'user' | 'assistant';
  status: Status;
  error: string | null;
  stop_reason: StopReason | null;
  model: string;
  epoch: number;
  created_at: number;
  usage: Usage | null;
  timings: Timings | null;
  left_out_turns: number;
}
export interface Message extends MessageState {
  text: string;
}

export interface Hello {
  type: 'hello';
  protocol: number;
  server: string;
  instance: string;
  limits: Limits;
  defaults: { temperature: number; max_tokens: number | null };
  model: Model;
}

// Commands, client to server. `id` is added by the socket when it is sent.
export interface Have {
  instance: string;
  seq: number;
  message: string | null;
  epoch: number;
  offset: number;
}
export type Command =
  | { type: 'list'; before: { updated_at: number; conversation: string } | null; limit: number }
  | { type: 'create'; conversation: string; title: string }
  | { type: 'rename'; conversation: string; title: string }
  | { type: 'delete'; conversation: string }
  | { type: 'undelete'; conversation: string }
  | { type: 'open'; conversation: string; have: Have | null }
  | { type: 'close'; conversation: string }
  | { type: 'older'; conversation: string; before: string; limit: number }
  | { type: 'send'; conversation: string; text: string; parent?: string }
  | { type: 'stop'; conversation: string }
  | { type: 'regenerate'; conversation: string; message: string }
  | { type: 'continue'; conversation: string; message: string }
  | ({ type: 'settings'; conversation: string } & Partial<ChatSettings>)
  | { type: 'models' };

export interface Ack {
  type: 'ack';
  re: string;
  message?: string;
}
export type ErrorCode =
  | 'bad_frame'
  | 'unknown_type'
  | 'invalid'
  | 'not_found'
  | 'busy'
  | 'too_long'
  | 'conflict'
  | 'unavailable'
  | 'rate_limited'
  | 'internal';
export interface ErrorFrame {
  type: 'error';
  re: string | null;
  code: ErrorCode;
  message: string;
}
export interface Conversations {
  type: 'conversations';
  re: string;
  items: Summary[];
  more: boolean;
}
export interface Messages {
  type: 'messages';
  re: string;
  conversation: string;
  items: Message[];
  more: boolean;
}
export interface Models {
  type: 'models';
  re: string;
  items: Model[];
}
export type Answer = Ack | ErrorFrame | Conversations | Messages | Models;

export interface Snapshot {
  type: 'snapshot';
  conversation: string;
  seq: number;
  summary: Summary;
  messages: Message[];
  more: boolean;
}
export interface MessageAdded {
  type: 'message_added';
  conversation: string;
  seq: number;
  message: Message;
}
export interface MessageChanged {
  type: 'message_changed';
  conversation: string;
  seq: number;
  message: MessageState;
  text_bytes: number;
}
export interface Changed {
  type: 'changed';
  conversation: string;
  seq: number;
  summary: Summary;
}
export interface Delta {
  type: 'delta';
  conversation: string;
  message: string;
  epoch: number;
  offset: number;
  text: string;
}
export type ConversationEvent = Snapshot | MessageAdded | MessageChanged | Changed | Delta;

export interface Listed {
  type: 'listed';
  item: Summary;
}
export interface ModelChanged {
  type: 'model';
  model: Model;
}

export type Frame = Hello | Answer | ConversationEvent | Listed | ModelChanged;
