// The whole page, with a server and a clock that a test plays.
import { flushSync, mount, unmount } from 'svelte';
import { vi } from 'vitest';
import type { Message, Summary } from '../protocol';
import { App } from '../state/app.svelte';
import { Preferences } from '../state/preferences.svelte';
import AppView from '../views/App.svelte';
import { FakeSocket } from './fake_socket';
import { summary } from './frames';

export const CHAT = '00000000-0000-4000-8000-000000000001';
export const socket = (): FakeSocket => FakeSocket.newest;

export interface Page {
  app: App;
  close(): Promise<void>;
}

export function openPage(): Page {
  FakeSocket.all = [];
  localStorage.clear();
  history.replaceState(null, '', '/');
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  let id = 0;
  const app = new App('ws://x/ws', () => `id-${++id}`);
  const view = mount(AppView, { target: document.body, props: { app, preferences: new Preferences() } });
  app.start();
  socket().greet();
  flushSync();
  return {
    app,
    close: async () => {
      await unmount(view);
      vi.useRealTimers();
    },
  };
}

// The chat with these messages, read anew.
export function showChat(page: Page, messages: Message[], changes: Partial<Summary> = {}): void {
  page.app.select(CHAT);
  socket().receive({
    type: 'snapshot',
    conversation: CHAT,
    seq: 1,
    summary: summary(CHAT, changes),
    messages,
    more: false,
  });
  flushSync();
}

export function receive(frame: object): void {
  socket().receive(frame);
  flushSync();
}

export async function answer(command: string, fields?: Record<string, unknown>): Promise<void> {
  await socket().answer(command, fields);
  flushSync();
}

export function text(selector: string): string[] {
  return [...document.querySelectorAll(selector)].map((e) =>
    (e.textContent ?? '').replace(/\s+/g, ' ').trim(),
  );
}

export function button(label: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find(
    (b) => b.textContent?.trim() === label || b.getAttribute('aria-label') === label,
  );
  if (!found) throw new Error(`no button ${label}`);
  return found;
}

export function press(label: string): void {
  button(label).click();
  flushSync();
}
