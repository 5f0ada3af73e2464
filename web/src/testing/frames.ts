// Frames as the server sends them, for tests.
import type { Call, Message, MessageState, Summary, Tool, ToolServer } from '../protocol';

export const summary = (conversation: string, changes: Partial<Summary> = {}): Summary => ({
  conversation,
  title: 'A title',
  settings: { system_prompt: '', temperature: null, max_tokens: null, tools: null },
  created_at: 1,
  updated_at: 2,
  deleted: false,
  answering: false,
  ...changes,
});

export const messageState = (id: string): MessageState => ({
  message: id,
  parent: null,
  role: 'user',
  calls: [],
  status: 'complete',
  error: null,
  stop_reason: null,
  model: '',
  epoch: 0,
  created_at: 1,
  usage: null,
  timings: null,
  left_out_turns: 0,
});

export const message = (id: string, changes: Partial<Message> = {}): Message => ({
  ...messageState(id),
  text: '',
  ...changes,
});

export const call = (id: string, changes: Partial<Call> = {}): Call => ({
  call: id,
  name: 'weather',
  source: 'command',
  state: 'done',
  arguments: '{"city":"Bremen"}',
  preview: null,
  result: '14 degrees',
  output_bytes: 10,
  images: [],
  decision: 'auto',
  elapsed_ms: 210,
  ...changes,
});

export const tool = (name: string, changes: Partial<Tool> = {}): Tool => ({
  name,
  description: `What ${name} does.`,
  source: 'command',
  policy: 'ask',
  tokens: 80,
  chosen: false,
  ...changes,
});

export const toolServer = (name: string, changes: Partial<ToolServer> = {}): ToolServer => ({
  name,
  state: 'ready',
  error: null,
  tools: 1,
  log: [],
  ...changes,
});

export const hello = {
  type: 'hello' as const,
  protocol: 1,
  server: 'parley 0.1.0',
  instance: 'run-1',
  limits: { frame_bytes: 6691168, message_bytes: 1048576, title_bytes: 400, system_prompt_bytes: 65536 },
  defaults: { temperature: 0.7, max_tokens: null },
  model: {
    name: 'm',
    state: 'ready' as const,
    progress: 1,
    error: null,
    architecture: 'llama',
    quantisation: 'Q4_1',
    file_bytes: 1,
    max_context: 8192,
  },
};
