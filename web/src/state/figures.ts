// The numbers under an answer as short texts, of all answers of its turn together. Pure.
import type { Message, Timings, Usage } from '../protocol';
import { strings } from '../text/strings';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

interface Measured {
  usage: Usage;
  timings: Timings;
}

export function figures(turn: Message[]): string[] {
  const rounds = turn.filter((m): m is Message & Measured => m.usage !== null && m.timings !== null);
  const first = rounds[0];
  const tokens = sum(rounds, (m) => m.usage.completion_tokens);
  if (!first || tokens === 0) return [];
  const parts = [strings.stats.tokens(tokens)];
  const rate = tokensPerSecond(rounds);
  if (rate > 0) parts.push(strings.stats.rate(Number(tenths.format(round(rate)).replace(/,/g, ''))));
  parts.push(strings.stats.first(seconds(first.timings.first_token_ms)));
  const cached = sum(rounds, (m) => m.usage.cached_tokens);
  const prompt = sum(rounds, (m) => m.usage.prompt_tokens);
  parts.push(strings.stats.cached(whole.format(cached), whole.format(prompt)));
  const calls = sum(turn, (m) => m.calls.length);
  if (calls > 0) parts.unshift(strings.stats.calls(calls));
  return parts;
}

// Of decoding, the first token of each answer apart, as the server counts one answer.
function tokensPerSecond(rounds: Measured[]): number {
  if (rounds.length === 1) return rounds[0]?.timings.tokens_per_second ?? 0;
  const timed = rounds.filter((m) => m.timings.tokens_per_second > 0 && m.usage.completion_tokens > 1);
  const decoded = sum(timed, (m) => m.usage.completion_tokens - 1);
  const time = sum(timed, (m) => (m.usage.completion_tokens - 1) / m.timings.tokens_per_second);
  return time > 0 ? decoded / time : 0;
}

const FEW = 64; // tokens; a prompt that was nearly all in the cache tells nothing of the speed

// How fast this machine reads a prompt, by the newest answer that tells; null: none does.
export function promptTokensPerSecond(messages: Message[]): number | null {
  const read = (m: Message) => (m.usage ? m.usage.prompt_tokens - m.usage.cached_tokens : 0);
  const newest = messages.findLast((m) => read(m) >= FEW && (m.timings?.first_token_ms ?? 0) > 0);
  return newest?.timings ? (read(newest) / newest.timings.first_token_ms) * 1000 : null;
}

function sum<T>(items: T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function round(rate: number): number {
  return rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1);
}

// Of a call, which also ticks: one digit, then minutes.
export function elapsed(milliseconds: number): string {
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const all = Math.round(milliseconds / 1000);
  return `${Math.floor(all / 60)} min ${all % 60} s`;
}

// Of thinking: nobody counts tenths.
export function wholeSeconds(milliseconds: number): string {
  const all = Math.max(1, Math.round(milliseconds / 1000));
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

export function moment(time: number): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

export function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

export function kilobytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
