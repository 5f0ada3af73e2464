import { expect, test } from 'vitest';
import { approval, tool, toolServer } from '../testing/frames';
import {
  allowedButAway,
  allowedOf,
  allowedWords,
  awaited,
  groupBySource,
  isOn,
  runsUnasked,
  switched,
  tokensOn,
} from './tools';

const tools = [
  tool('clock', { chosen: true, source: 'builtin', tokens: 40 }),
  tool('weather', { tokens: 90 }),
  tool('shell', { policy: 'deny', chosen: true }),
];

test('a chat without a choice of its own uses what is chosen for new ones', () => {
  expect(tools.map((t) => isOn(t, null))).toEqual([true, false, false]);
  expect(tokensOn(tools, null)).toBe(40);
});

test('a chosen list says all, an empty one too', () => {
  expect(tools.map((t) => isOn(t, ['weather', 'shell']))).toEqual([false, true, false]);
  expect(tools.some((t) => isOn(t, []))).toBe(false);
});

test('the first switch makes a list of what was on', () => {
  expect(switched(tools, null, 'weather', true)).toEqual(['clock', 'weather']);
  expect(switched(tools, null, 'clock', false)).toEqual([]);
  expect(switched(tools, ['weather'], 'weather', true)).toEqual(['weather']);
});

test('tools of a server that is away stay switched on', () => {
  expect(switched(tools, ['files_read', 'clock'], 'clock', false)).toEqual(['files_read']);
});

test('servers that start are waited for where a tool of the chat is missing', () => {
  const servers = [
    toolServer('files', { state: 'starting' }),
    toolServer('web'),
    toolServer('broken', { state: 'starting', error: 'Exited with status 1.' }),
  ];
  expect(awaited(tools, servers, ['files_read'])).toEqual(['files']);
  expect(awaited(tools, servers, null)).toEqual(['files']);
  expect(awaited(tools, servers, ['weather'])).toEqual([]);
  expect(awaited(tools, servers, [])).toEqual([]);
  expect(awaited([tool('weather')], servers, null)).toEqual([]);
});

test('what was allowed of a tool is told for every chat, this one and others', () => {
  const here = approval('weather', { conversation: 'c', since: null });
  const always = approval('weather');
  const all = [always, here, approval('weather', { conversation: 'd' }), approval('clock')];
  expect(allowedOf('weather', all, 'c')).toEqual({ always, here, elsewhere: 1 });
  expect(allowedOf('weather', all, null)).toEqual({ always, here: null, elsewhere: 2 });
  expect(allowedOf('mail', all, 'c')).toBeNull();
  expect(allowedWords({ always, here, elsewhere: 1 })).toMatch(
    /^Always allowed, since .*2026.*\. Allowed in this chat\. Allowed in 1 other chat\.$/,
  );
  expect(allowedWords({ always: null, here: null, elsewhere: 2 })).toBe('Allowed in 2 other chats.');
});

test('only what holds in every chat or in this one lets a call run', () => {
  const all = [approval('weather', { conversation: 'c' }), approval('clock')];
  const runs = (name: string, chat: string | null) => runsUnasked(allowedOf(name, all, chat));
  expect([runs('weather', 'c'), runs('weather', 'd'), runs('weather', null)]).toEqual([true, false, false]);
  expect([runs('clock', 'd'), runs('clock', null), runs('mail', 'c')]).toEqual([true, true, false]);
});

test('what was allowed of another definition holds no more', () => {
  const before = [approval('weather', { holds: false })];
  expect(allowedOf('weather', before, 'c')).toBe('outdated');
  expect(runsUnasked('outdated')).toBe(false);
  expect(allowedOf('weather', [...before, approval('weather')], 'c')).toMatchObject({ elsewhere: 0 });
});

test('what was allowed of tools that are away is not forgotten', () => {
  const gone = approval('files_read', { holds: false });
  const all = [gone, approval('clock'), { ...gone, conversation: 'c' }, approval('a', { holds: false })];
  expect(allowedButAway(tools, all)).toEqual(['a', 'files_read']);
});

test('tools stand under where they come from, in the order told', () => {
  const listed = [...tools, tool('read', { source: 'mcp:files' }), tool('get', { source: 'openapi:pets' })];
  expect(groupBySource(listed).map((g) => [g.title, g.tools.map((t) => t.name)])).toEqual([
    ['Built in', ['clock']],
    ['Commands', ['weather', 'shell']],
    ['Server files', ['read']],
    ['API pets', ['get']],
  ]);
  expect(groupBySource([tool('x', { source: 'odd:one' })])[0]?.title).toBe('odd:one');
  expect(groupBySource([tool('x', { source: '__proto__' })])[0]?.title).toBe('__proto__');
});
