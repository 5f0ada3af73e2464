// How long to wait before the next attempt to connect: doubling from 0.25 to 10 s, with jitter, so that the tabs of a
// restarted server do not all knock at once. Pure.

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return full * (0.5 + random / 2);
}
