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
  tools: string[] | null; // names that are switched on; null: as the model's profile says
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

export type StopReason = 'stop' | 'length' | 'stopped' | 'tool_calls';
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
  reasoning_ms: number;
}
export type CallState =
  'writing' | 'awaiting_approval' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled' | 'interrupted';
export interface CallPreview {
  kind: 'command' | 'request' | 'mcp' | 'builtin';
  words: string[];
  input: string;
}
export interface Call {
  call: string;
  name: string;
  source: string;
  state: CallState;
  arguments: string;
  preview: CallPreview | null;
  definition: string | null; // a hash of the tool that it would run; goes back with the decision
  result: string;
  output_bytes: number;
  images: string[]; // media types
  decision: 'auto' | 'once' | 'chat' | 'always' | 'denied' | null;
  elapsed_ms: number;
  started_at: number | null; // while it runs, by the server's clock
}
export interface Progress {
  message: string;
  fraction: number | null;
}
export interface MessageState {
  message: string;
  parent: string | null;
  role: 'user' | 'assistant';
  calls: Call[];
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
  time: number; // of the server's clock
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
export type Decision = 'once' | 'chat' | 'always' | 'deny';
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
  | { type: 'models' }
  | { type: 'tools' }
  | {
      type: 'decide';
      conversation: string;
      message: string;
      call: string;
      decision: Decision;
      definition: string | null; // of the call as it was shown
    }
  | { type: 'cancel_call'; conversation: string; message: string; call: string }
  | { type: 'forget_approval'; tool: string }
  | { type: 'output'; conversation: string; message: string; call: string; offset: number }
  | { type: 'audit'; before: number | null; limit: number };

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
export interface Tool {
  name: string;
  description: string;
  source: string;
  policy: 'auto' | 'ask' | 'deny';
  tokens: number;
  chosen: boolean;
}
export interface ToolServer {
  name: string;
  state: 'starting' | 'ready' | 'failed' | 'restarting' | 'off';
  error: string | null;
  tools: number;
  log: string[];
}
export interface Approval {
  tool: string;
  source: string;
  conversation: string | null; // null: in every chat
  since: number | null; // null: not known
  holds: boolean; // for the tool as it is now; else it is another one, or not there
}
export type ToolProfile = 'native' | 'weak' | 'none';
export interface Tools {
  type: 'tools';
  re: string;
  items: Tool[];
  counted: boolean; // the tokens are the model's; else guessed from the length
  profile: ToolProfile;
  approvals: Approval[];
  servers: ToolServer[];
  problems: string[];
  file: string | null; // that they are read from, whether it is there or not; null: tools are off
  off: string | null; // then: why
}
export interface Output {
  type: 'output';
  re: string;
  offset: number;
  text: string;
  bytes: number;
}
export interface AuditRecord {
  at: number; // of its own, larger for newer ones
  time: number;
  conversation: string | null;
  tool: string;
  source: string;
  decision: string;
  end: string;
  elapsed_ms: number;
}
export interface Audit {
  type: 'audit';
  re: string;
  items: AuditRecord[]; // newest first
  before: number | null;
  damaged: number;
}
export type Answer = Ack | ErrorFrame | Conversations | Messages | Models | Tools | Output | Audit;

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
export interface CallChanged {
  type: 'call_changed';
  conversation: string;
  seq: number;
  message: string;
  index: number;
  call: Call;
  progress: Progress | null;
}
export interface Changed {
  type: 'changed';
  conversation: string;
  seq: number;
  summary: Summary;
}
export interface Arguments {
  type: 'arguments';
  conversation: string;
  message: string;
  epoch: number;
  index: number;
  offset: number;
  text: string;
}
export interface Delta {
  type: 'delta';
  conversation: string;
  message: string;
  epoch: number;
  offset: number;
  text: string;
}
export interface Preparing {
  type: 'preparing';
  conversation: string;
  message: string;
  epoch: number;
}
export type ConversationEvent =
  Snapshot | MessageAdded | MessageChanged | CallChanged | Changed | Arguments | Delta | Preparing;

export interface Listed {
  type: 'listed';
  item: Summary;
}
export interface ModelChanged {
  type: 'model';
  model: Model;
}
export interface ToolsChanged {
  type: 'tools_changed';
}

export type Frame = Hello | Answer | ConversationEvent | Listed | ModelChanged | ToolsChanged;
