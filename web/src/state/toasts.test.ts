import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from './toasts.svelte';

let toasts: Toasts;
const texts = () => toasts.items.map((toast) => toast.text);
const offer = (text: string, run = () => undefined) => ({ text, action: { label: 'Undo', run } });

beforeEach(() => {
  vi.useFakeTimers();
  toasts = new Toasts();
});
afterEach(() => vi.useRealTimers());

test('a notice leaves by itself after ten seconds', () => {
  toasts.show({ text: 'a' });
  vi.advanceTimersByTime(9_999);
  expect(texts()).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

test('one that takes the place of another is there for ten seconds more', () => {
  const first = toasts.show({ text: 'a' });
  vi.advanceTimersByTime(9_000);
  expect(toasts.show({ text: 'b' }, first)).toBe(first);
  vi.advanceTimersByTime(9_000);
  expect(texts()).toEqual(['b']);
  vi.advanceTimersByTime(1_000);
  expect(toasts.show({ text: 'c' }, first)).not.toBe(first);
});

test('the time stands still while a person is at them, and begins anew', () => {
  toasts.show({ text: 'a' });
  vi.advanceTimersByTime(9_000);
  toasts.hold();
  toasts.show({ text: 'b' });
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['a', 'b']);
  toasts.release();
  vi.advanceTimersByTime(9_000);
  expect(texts()).toEqual(['a', 'b']);
  vi.advanceTimersByTime(1_000);
  expect(texts()).toEqual([]);
});

test('errors do not push out what can be undone', () => {
  toasts.show(offer('undo'));
  for (const text of ['a', 'b', 'c']) toasts.show({ text, danger: true });
  expect(texts()).toEqual(['undo', 'b', 'c']);
  for (const text of ['d', 'e', 'f']) toasts.show(offer(text));
  expect(texts()).toEqual(['d', 'e', 'f']);
});

test('the newest offer can be taken without reaching for it, once', () => {
  const done: string[] = [];
  toasts.show(offer('one', () => void done.push('one')));
  toasts.show(offer('two', () => void done.push('two')));
  toasts.show({ text: 'an error', danger: true });
  expect([toasts.act(), toasts.act(), toasts.act()]).toEqual([true, true, false]);
  expect(done).toEqual(['two', 'one']);
  expect(texts()).toEqual(['an error']);
});
