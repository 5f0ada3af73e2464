import { expect, test } from 'vitest';
import { prettyJson } from './pretty_json';

test('short JSON stays on one line', () => {
  expect(prettyJson(' {"city" :"Bremen",\n"days":[1,2]} ')).toBe('{"city": "Bremen", "days": [1, 2]}');
  for (const text of ['{}', '[]', '"a"', '-1.5e3', 'null']) expect(prettyJson(text)).toBe(text);
});

test('longer JSON is what JSON.stringify would make of it', () => {
  const value = {
    path: '/srv/data/a "quoted", {braced}: [x]\\',
    nested: { empty: {}, none: [], list: [1, true, null, { deep: 'ü\n' }] },
    more: 'x'.repeat(80),
  };
  expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

test('numbers, escapes and doubled keys stay as they were written', () => {
  const text = '{"id":12345678901234567890,"e":"\\u202e","a":1.0,"a":2,"pad":"' + 'x'.repeat(80) + '"}';
  const pretty = prettyJson(text) ?? '';
  expect(pretty.replace(/\s/g, '')).toBe(text);
});

test('what is not whole, or not JSON, is null', () => {
  for (const text of ['', '{"a', '{"a":1', '{a:1}', "{'a':1}", '{} {}', '{"a":\u00a01}'])
    expect(prettyJson(text)).toBeNull();
});

test('deep and long texts end quickly', () => {
  expect(prettyJson('['.repeat(5000) + ']'.repeat(5000))).toBeNull();
  const long = JSON.stringify({ text: 'a'.repeat(1_000_000), list: Array(20_000).fill(1) });
  expect(prettyJson(long)?.replace(/\s/g, '')).toBe(long);
});
