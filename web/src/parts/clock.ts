// The time, for what ticks on the screen. Runs only while something looks at it.
import { createContext } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 100;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => clearInterval(timer);
});

export function now(): number {
  subscribe();
  return Date.now();
}

// How far the server's clock is ahead of this one, in milliseconds; set once by the page.
export const [clockAhead, setClockAhead] = createContext<() => number>();
