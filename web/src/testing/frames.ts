// Frames as the server sends them, for tests.
import type { Message, MessageState, Summary } from '../protocol';

export const summary = (conversation: string, changes: Partial<Summary> = {}): Summary => ({
  conversation,
  title: 'A title',
  settings: { system_prompt: '', temperature: null, max_tokens: null },
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
