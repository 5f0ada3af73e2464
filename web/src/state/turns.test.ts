import { expect, test } from 'vitest';
import type { Message } from '../protocol';
import { call, message, summary } from '../testing/frames';
import { hold, type ConversationView } from './conversation';
import { figures, promptTokensPerSecond } from './figures';
import { awaitsDecision, canContinue, groupTurns, isAnswering, isUnanswered, wholeText } from './turns';

const answer = (id: string, changes: Partial<Message> = {}) =>
  hold(message(id, { role: 'assistant', stop_reason: 'stop', ...changes }));
const question = (id: string) => hold(message(id));
const calling = (id: string, state: 'done' | 'running' | 'writing' | 'awaiting_approval', changes = {}) =>
  answer(id, { stop_reason: 'tool_calls', calls: [call(`${id}k`, { state })], ...changes });
const view = (messages: ReturnType<typeof hold>[]): ConversationView => ({
  conversation: 'c',
  instance: 'run',
  seq: 1,
  summary: summary('c'),
  messages,
  more: false,
});

test('all answers to a question are one row, also when its beginning is not held', () => {
  const rows = groupTurns([answer('z'), question('q'), calling('a', 'done'), answer('b'), question('r')], []);
  expect(rows.map((row) => [row.key, row.answers?.map((m) => m.message) ?? null])).toEqual([
    ['z', ['z']],
    ['q', null],
    ['a', ['a', 'b']],
    ['r', null],
  ]);
});

test('rows that did not change stay the same', () => {
  const messages = [question('q'), calling('a', 'done'), answer('b'), question('r'), answer('c')];
  const before = groupTurns(messages, []);
  const after = groupTurns([...messages.slice(0, 4), answer('c', { text: 'more' })], before);
  expect(after.map((row, index) => row === before[index])).toEqual([true, true, true, false]);
  expect(groupTurns(messages.slice(0, 2), before)[1]).not.toBe(before[1]);
});

test('a turn goes on while text or calls come, and between two answers while the server says so', () => {
  const going = (last: ReturnType<typeof hold>, running: boolean) =>
    isAnswering(view([question('q'), last]), running);
  expect(going(answer('a', { status: 'streaming' }), false)).toBe(true);
  expect(going(calling('a', 'running'), false)).toBe(true);
  expect(going(calling('a', 'writing'), false)).toBe(true);
  expect(going(calling('a', 'done'), true)).toBe(true);
  expect(going(calling('a', 'done'), false)).toBe(false);
  expect(going(calling('a', 'awaiting_approval'), true)).toBe(true);
  expect(going(calling('a', 'awaiting_approval'), false)).toBe(false);
  expect(going(answer('a'), true)).toBe(false);
  expect(going(calling('a', 'done', { status: 'stopped', stop_reason: 'stopped' }), true)).toBe(false);
  expect(isAnswering(null, true)).toBe(false);
});

test('what can be continued', () => {
  expect(canContinue(answer('a'))).toBe(false);
  expect(canContinue(answer('a', { stop_reason: 'length' }))).toBe(true);
  expect(canContinue(answer('a', { status: 'stopped' }))).toBe(true);
  expect(canContinue(answer('a', { status: 'interrupted' }))).toBe(true);
  expect(canContinue(answer('a', { status: 'failed' }))).toBe(false);
  expect(canContinue(answer('a', { status: 'failed', text: 'half' }))).toBe(true);
  expect(canContinue(calling('a', 'done'))).toBe(true);
  expect(canContinue(calling('a', 'awaiting_approval', { status: 'interrupted' }))).toBe(false);
  expect([isUnanswered(calling('a', 'done')), isUnanswered(calling('a', 'running'))]).toEqual([true, false]);
  expect([awaitsDecision(calling('a', 'awaiting_approval')), awaitsDecision(undefined)]).toEqual([
    true,
    false,
  ]);
});

test('the text of a turn is that of its answers', () => {
  expect(
    wholeText([answer('a', { text: 'Let me see.\n' }), answer('b'), answer('c', { text: 'It is 14.' })]),
  ).toBe('Let me see.\n\nIt is 14.');
});

test('the text of a turn has nothing of its reasoning', () => {
  const thoughtful = answer('a', { text: '<think>Hm.</think>\n\nLet me see.' });
  const silent = answer('b', { text: '<think>Which city?' });
  expect(wholeText([thoughtful, silent, answer('c', { text: 'Yes.' })])).toBe('Let me see.\n\nYes.');
});

const measured = (prompt: number, cached: number, completion: number, first: number, rate: number) => ({
  usage: { prompt_tokens: prompt, cached_tokens: cached, completion_tokens: completion },
  timings: { first_token_ms: first, total_ms: 1, tokens_per_second: rate, reasoning_ms: 0 },
});

test('the figures of a turn are summed, and the first token is the first one of the turn', () => {
  const rounds = [
    calling('a', 'done', measured(100, 20, 21, 500, 10)),
    answer('b', measured(130, 121, 41, 90, 40)),
  ];
  // 20 tokens in 2 s and 40 in 1 s.
  expect(figures(rounds)).toEqual([
    '1 call',
    '62 tokens',
    '20 tok/s',
    'first after 0.50 s',
    '141 of 230 cached',
  ]);
});

test('one answer has the figures that the server told; one without has none', () => {
  expect(figures([answer('a', measured(10, 4, 1, 120, 7.25))])).toEqual([
    '1 token',
    '7.3 tok/s',
    'first after 0.12 s',
    '4 of 10 cached',
  ]);
  expect(figures([answer('a'), answer('b', measured(10, 4, 0, 1, 1))])).toEqual([]);
});

test('the speed of reading is that of the newest prompt that was read', () => {
  const told = [answer('a', measured(500, 0, 9, 2000, 9)), answer('b', measured(600, 590, 9, 40, 9))];
  expect(promptTokensPerSecond(told)).toBe(250);
  expect(promptTokensPerSecond([answer('c')])).toBeNull();
});
