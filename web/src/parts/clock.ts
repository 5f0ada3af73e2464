// The time, for what ticks on the screen. Runs only while something looks at it.
import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 100;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => clearInterval(timer);
});

export function now(): number {
  subscribe();
  return performance.now();
}
