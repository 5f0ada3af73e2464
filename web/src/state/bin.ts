// What was deleted here a moment ago and can be brought back: one notice for all of it, however much it is.
import { strings } from '../text/strings';
import type { Toasts } from './toasts.svelte';

export interface Deleted {
  conversations: string[];
  open: string | null; // the one of them that was shown
}

export class Bin {
  private held: Deleted = { conversations: [], open: null };
  private toast = 0;

  constructor(
    private readonly toasts: Toasts,
    private readonly restore: (deleted: Deleted) => void,
  ) {}

  put(conversation: string, wasOpen: boolean): void {
    if (!this.toasts.items.some((toast) => toast.id === this.toast))
      this.held = { conversations: [], open: null };
    const held = (this.held = {
      conversations: [...this.held.conversations, conversation],
      open: wasOpen ? conversation : this.held.open,
    });
    const action = { label: strings.undo, run: () => this.restore(held) };
    this.toast = this.toasts.show({ text: strings.deleted(held.conversations.length), action }, this.toast);
  }
}
