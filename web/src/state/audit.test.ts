import { expect, test } from 'vitest';
import type { Audit } from '../protocol';
import { auditRecord } from '../testing/frames';
import { noAudit, withNewest, withOlder, type AuditView } from './audit';

const page = (numbers: number[], before: number | null = null, damaged = 0): Audit => ({
  type: 'audit',
  re: 'a',
  items: numbers.map((at) => auditRecord(at)),
  before,
  damaged,
});
const numbers = (view: AuditView) => view.records.map((record) => record.at);

test('older ones come behind the newest', () => {
  const newest = withNewest(noAudit, page([9, 8], 8, 1));
  expect([numbers(newest), newest.before]).toEqual([[9, 8], 8]);
  const all = withOlder(newest, page([5, 3], null, 1));
  expect([numbers(all), all.before, all.damaged]).toEqual([[9, 8, 5, 3], null, 2]);
});

test('new ones come in front, and what was read before stays', () => {
  const read = withOlder(withNewest(noAudit, page([9, 8], 8)), page([5, 3], 3));
  const now = withNewest(read, page([12, 9], 9));
  expect([numbers(now), now.before]).toEqual([[12, 9, 8, 5, 3], 3]);
  expect(numbers(withNewest(read, page([9, 8], 8)))).toEqual([9, 8, 5, 3]);
});

test('where others came in between, the list begins anew', () => {
  const now = withNewest(withNewest(noAudit, page([9, 8], 8)), page([30, 20], 20));
  expect([numbers(now), now.before]).toEqual([[30, 20], 20]);
});

test('a log that was short and grew stays whole', () => {
  const now = withNewest(withNewest(noAudit, page([3])), page([8, 3]));
  expect([numbers(now), now.before]).toEqual([[8, 3], null]);
});
