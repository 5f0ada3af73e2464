import { expect, test } from 'vitest';
import { tool, toolServer } from '../testing/frames';
import { awaited, groupBySource, isOn, switched, tokensOn } from './tools';

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
