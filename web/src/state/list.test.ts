import { expect, test } from 'vitest';
import { summary } from '../testing/frames';
import { groupByDay, mergePage, neighbour, upsert } from './list';

const ids = (list: { conversation: string }[]): string[] => list.map((s) => s.conversation);

test('the newest use comes first, deleted ones leave', () => {
  let list = mergePage([], [summary('a', { updated_at: 3 }), summary('b', { updated_at: 2 })]);
  list = upsert(list, summary('b', { updated_at: 9 }));
  expect(ids(list)).toEqual(['b', 'a']);
  list = upsert(list, summary('a', { updated_at: 3, deleted: true }));
  expect(ids(list)).toEqual(['b']);
  list = upsert(list, summary('a', { updated_at: 3 }));
  expect(ids(list)).toEqual(['b', 'a']);
});

test('groups by local day', () => {
  const now = new Date(2026, 2, 10, 15, 0);
  const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();
  const list = [at(10, 1), at(9, 23), at(9, 0), at(4, 12), at(1, 12)].map((time, i) =>
    summary(String(i), { updated_at: time }),
  );
  const groups = groupByDay(list, now).map((g) => [g.day, g.items.length]);
  expect(groups).toEqual([
    ['today', 1],
    ['yesterday', 2],
    ['week', 1],
    ['March 2026', 1],
  ]);
});

test('the next one takes the place of one that left, else the one before it', () => {
  const before = ['a', 'b', 'c', 'd'];
  expect(neighbour(before, ['a', 'c', 'd'], 'b')).toBe('c');
  expect(neighbour(before, ['a', 'd'], 'b')).toBe('d');
  expect(neighbour(before, ['a', 'b'], 'd')).toBe('b');
  expect(neighbour(['a'], [], 'a')).toBeUndefined();
  expect(neighbour(before, ['d'], 'x')).toBe('d');
});
