// Frames as the server sends them, for tests.
import type {
  Approval,
  AuditRecord,
  Call,
  Message,
  MessageState,
  Summary,
  Tool,
  Tools,
  ToolServer,
} from '../protocol';

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
  definition: null,
  result: '14 degrees',
  output_bytes: 10,
  images: [],
  decision: 'auto',
  elapsed_ms: 210,
  started_at: null,
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

export const approval = (name: string, changes: Partial<Approval> = {}): Approval => ({
  tool: name,
  source: 'command',
  conversation: null,
  since: 1_796_034_195_042,
  holds: true,
  ...changes,
});

export const toolList = (changes: Partial<Tools> = {}): Omit<Tools, 're'> => ({
  type: 'tools',
  items: [],
  counted: true,
  profile: 'native',
  approvals: [],
  servers: [],
  problems: [],
  file: '/home/me/tools.json',
  off: null,
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

export const auditRecord = (at: number, changes: Partial<AuditRecord> = {}): AuditRecord => ({
  at,
  time: 1_796_034_195_042,
  conversation: null,
  tool: 'weather',
  source: 'command',
  decision: 'auto',
  end: 'ok',
  elapsed_ms: 210,
  ...changes,
});

export const hello = {
  type: 'hello' as const,
  protocol: 1,
  server: 'parley 0.1.0',
  instance: 'run-1',
  time: 1_796_034_195_042,
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
