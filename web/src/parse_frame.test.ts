import { expect, test } from 'vitest';
import { parseFrame } from './parse_frame';
import {
  approval,
  auditRecord,
  call,
  hello,
  message,
  messageState,
  summary,
  tool,
  toolList,
  toolServer,
} from './testing/frames';

const good = [
  hello,
  { type: 'ack', re: 'a' },
  { type: 'ack', re: 'a', message: 'm' },
  { type: 'error', re: null, code: 'bad_frame', message: 'no' },
  { type: 'conversations', re: 'a', items: [summary('c')], more: false },
  { type: 'messages', re: 'a', conversation: 'c', items: [message('m')], more: true },
  { type: 'models', re: 'a', items: [hello.model] },
  {
    ...toolList({
      items: [tool('t'), tool('u', { policy: 'deny', chosen: true })],
      profile: 'weak',
      approvals: [approval('t'), approval('u', { conversation: 'c', since: null, holds: false })],
      servers: [toolServer('s', { state: 'failed', error: 'gone', log: ['bye'] })],
      problems: ['line 3'],
      file: '/home/me/.config/parley/tools.json',
      off: 'other machines can reach it',
    }),
    re: 'a',
  },
  { type: 'output', re: 'a', offset: 0, text: 'ü', bytes: 2 },
  { type: 'audit', re: 'a', items: [auditRecord(7, { conversation: 'c' })], before: 7, damaged: 1 },
  {
    type: 'snapshot',
    conversation: 'c',
    seq: 3,
    summary: summary('c'),
    messages: [message('m')],
    more: false,
  },
  { type: 'message_added', conversation: 'c', seq: 4, message: message('m', { calls: [call('k')] }) },
  { type: 'message_changed', conversation: 'c', seq: 5, message: messageState('m'), text_bytes: 3 },
  {
    type: 'call_changed',
    conversation: 'c',
    seq: 6,
    message: 'm',
    index: 0,
    call: call('k', { preview: { kind: 'command', words: ['a', ''], input: '' }, images: ['image/png'] }),
    progress: { message: 'half', fraction: null },
  },
  {
    type: 'changed',
    conversation: 'c',
    seq: 5,
    summary: summary('c', {
      settings: { system_prompt: '', temperature: null, max_tokens: null, tools: ['a'] },
    }),
  },
  { type: 'arguments', conversation: 'c', message: 'm', epoch: 1, index: 0, offset: 0, text: '{' },
  { type: 'delta', conversation: 'c', message: 'm', epoch: 1, offset: 0, text: 'ü' },
  { type: 'preparing', conversation: 'c', message: 'm', epoch: 1 },
  { type: 'listed', item: summary('c') },
  { type: 'model', model: hello.model },
  { type: 'tools_changed' },
];

test('every frame of the protocol comes through as it is', () => {
  for (const frame of good) expect(parseFrame(JSON.stringify(frame))).toEqual(frame);
});

test('a frame that lacks any of its fields is no frame', () => {
  const optional = new Set([
    'ack.message',
    'error.re',
    'call_changed.progress',
    'tools.file',
    'tools.off',
    'audit.before',
  ]);
  for (const frame of good) {
    for (const key of Object.keys(frame)) {
      if (optional.has(`${frame.type}.${key}`)) continue;
      const rest = Object.fromEntries(Object.entries(frame).filter(([k]) => k !== key));
      expect(parseFrame(JSON.stringify(rest)), `${frame.type} without ${key}`).toBeNull();
    }
  }
});

test('hostile input is null, never an exception', () => {
  const hostile = [
    '',
    '{',
    'null',
    '[]',
    '7',
    '{"type":"__proto__"}',
    '{"type":"constructor"}',
    '{"type":7}',
  ];
  for (const text of hostile) expect(parseFrame(text)).toBeNull();
  expect(parseFrame(new ArrayBuffer(3))).toBeNull();
  expect(
    parseFrame('{"type":"delta","conversation":"c","message":"m","epoch":1,"offset":"0","text":""}'),
  ).toBeNull();
  expect(
    parseFrame('{"type":"delta","conversation":"c","message":"m","epoch":1e999,"offset":0,"text":""}'),
  ).toBeNull();
});

test('words outside of their list are no frame', () => {
  const answer = message('m', { stop_reason: 'length' });
  const added = (changes: object) =>
    parseFrame(
      JSON.stringify({
        type: 'message_added',
        conversation: 'c',
        seq: 1,
        message: { ...answer, ...changes },
      }),
    );
  expect(added({})).not.toBeNull();
  for (const changes of [{ stop_reason: 'tired' }, { status: 'fine' }, { role: 'system' }])
    expect(added(changes)).toBeNull();
  expect(parseFrame('{"type":"error","re":"a","code":"odd","message":"no"}')).toBeNull();
});

test('a call that lacks any of its fields, or has a word outside of its list, is no call', () => {
  const changed = (changes: object) =>
    parseFrame(
      JSON.stringify({
        type: 'call_changed',
        conversation: 'c',
        seq: 1,
        message: 'm',
        index: 0,
        call: { ...call('k'), ...changes },
        progress: null,
      }),
    );
  expect(changed({})).not.toBeNull();
  const optional = ['preview', 'definition', 'decision', 'started_at'];
  for (const key of Object.keys(call('k')).filter((k) => !optional.includes(k)))
    expect(changed({ [key]: undefined }), `without ${key}`).toBeNull();
  for (const changes of [
    { state: 'odd' },
    { decision: 'maybe' },
    { images: 'image/png' },
    { started_at: 'now' },
    { preview: { kind: 'shell', words: [], input: '' } },
    { preview: { kind: 'command', words: [1], input: '' } },
  ])
    expect(changed(changes)).toBeNull();
});

test('a tool, a server or an approval with a word outside of its list is no frame', () => {
  const tools = (item: object, server: object, allowed: object = {}, changes: object = {}) =>
    parseFrame(
      JSON.stringify({
        ...toolList(),
        re: 'a',
        items: [{ ...tool('t'), ...item }],
        servers: [{ ...toolServer('s'), ...server }],
        approvals: [{ ...approval('t'), ...allowed }],
        ...changes,
      }),
    );
  expect(tools({}, {})).not.toBeNull();
  for (const allowed of [{ since: 'long' }, { conversation: 7 }, { holds: 1 }, { tool: null }])
    expect(tools({}, {}, allowed)).toBeNull();
  expect(tools({}, {}, {}, { profile: 'strong' })).toBeNull();
  for (const item of [{ policy: 'perhaps' }, { tokens: '80' }, { chosen: null }])
    expect(tools(item, {})).toBeNull();
  for (const server of [{ state: 'fine' }, { log: [7] }, { tools: null }])
    expect(tools({}, server)).toBeNull();
});

test('unknown fields are left out', () => {
  expect(parseFrame('{"type":"ack","re":"a","new":1}')).toEqual({ type: 'ack', re: 'a' });
});
