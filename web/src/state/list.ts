// The list of conversations, newest use first, in groups by day. Pure.
import type { Summary } from '../protocol';

export function upsert(list: Summary[], item: Summary): Summary[] {
  const others = list.filter((s) => s.conversation !== item.conversation);
  if (item.deleted) return others;
  const at = others.findIndex((s) => comesBefore(item, s));
  return at < 0 ? [...others, item] : [...others.slice(0, at), item, ...others.slice(at)];
}

export function mergePage(list: Summary[], page: Summary[]): Summary[] {
  return page.reduce(upsert, list);
}

// What stands in the place of one that has left: the next one, else the one before it. Undefined: none is left.
export function neighbour(before: string[], now: string[], gone: string): string | undefined {
  const at = before.indexOf(gone);
  const stays = (conversation: string) => now.includes(conversation);
  return before.slice(at + 1).find(stays) ?? before.slice(0, Math.max(at, 0)).findLast(stays);
}

function comesBefore(a: Summary, b: Summary): boolean {
  if (a.updated_at !== b.updated_at) return a.updated_at > b.updated_at;
  return a.conversation > b.conversation;
}

export type Day = 'today' | 'yesterday' | 'week' | string; // otherwise "March 2026"
export interface Group {
  day: Day;
  items: Summary[];
}

export function groupByDay(list: Summary[], now: Date): Group[] {
  const groups: Group[] = [];
  for (const item of list) {
    const day = dayOf(item.updated_at, now);
    const last = groups.at(-1);
    if (last?.day === day) last.items.push(item);
    else groups.push({ day, items: [item] });
  }
  return groups;
}

function dayOf(time: number, now: Date): Day {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const daysAgo = Math.ceil((midnight.getTime() - time) / 86_400_000);
  if (daysAgo <= 0) return 'today';
  if (daysAgo === 1) return 'yesterday';
  if (daysAgo <= 7) return 'week';
  return new Date(time).toLocaleDateString('en', { month: 'long', year: 'numeric' });
}
