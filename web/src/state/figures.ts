// The numbers under an answer as short texts. Pure.
import type { Message } from '../protocol';
import { strings } from '../text/strings';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function figures(message: Message): string[] {
  const { usage, timings } = message;
  if (!usage || !timings || usage.completion_tokens === 0) return [];
  const parts = [strings.stats.tokens(usage.completion_tokens)];
  if (timings.tokens_per_second > 0) {
    parts.push(strings.stats.rate(Number(tenths.format(round(timings.tokens_per_second)).replace(/,/g, ''))));
  }
  parts.push(strings.stats.first(seconds(timings.first_token_ms)));
  parts.push(strings.stats.cached(whole.format(usage.cached_tokens), whole.format(usage.prompt_tokens)));
  return parts;
}

function round(rate: number): number {
  return rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1);
}

export function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
