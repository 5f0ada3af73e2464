// The log of calls as far as it was read. Pure.
import type { Audit, AuditRecord } from '../protocol';

export interface AuditView {
  records: AuditRecord[]; // newest first
  before: number | null; // where the older ones are asked for; null: there are none
  damaged: number; // lines that could not be read
}

export const noAudit: AuditView = { records: [], before: null, damaged: 0 };

// With the newest page, read again: what was read before stays, unless there are some in between that were not.
export function withNewest(view: AuditView, page: Audit): AuditView {
  const { items, before, damaged } = page;
  const oldest = items.at(-1)?.at ?? 0;
  const joins = before === null || view.records.some((record) => record.at >= oldest);
  if (!joins || view.records.length === 0) return { records: items, before, damaged };
  const older = view.records.filter((record) => record.at < oldest);
  const known = older.length > 0;
  return {
    records: [...items, ...older],
    before: known ? view.before : before,
    damaged: known ? Math.max(view.damaged, damaged) : damaged,
  };
}

// With the page that `view.before` led to.
export function withOlder(view: AuditView, page: Audit): AuditView {
  return {
    records: [...view.records, ...page.items],
    before: page.before,
    damaged: view.damaged + page.damaged,
  };
}
