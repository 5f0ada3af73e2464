// Short notices that leave by themselves, with at most one thing to do. None leaves while a person is at them.

export interface ToastOptions {
  text: string;
  danger?: boolean;
  action?: { label: string; run: () => void };
}
export interface Toast extends ToastOptions {
  id: number;
}

const SHOWN_MS = 10_000;
const MOST = 3;

export class Toasts {
  items = $state.raw<Toast[]>([]);
  private next = 1;
  private held = false;
  private timers: { id: number; timer: ReturnType<typeof setTimeout> }[] = [];

  // `instead`: of the notice with that id, if it is still there, which keeps its place. The id of what is shown.
  show(options: ToastOptions, instead = 0): number {
    const stays = this.items.some((toast) => toast.id === instead);
    const toast = { ...options, id: stays ? instead : this.next++ };
    this.items = stays
      ? this.items.map((other) => (other.id === instead ? toast : other))
      : fewest([...this.items, toast]);
    this.leaveLater(toast.id);
    return toast.id;
  }

  dismiss(id: number): void {
    this.stay(id);
    this.items = this.items.filter((toast) => toast.id !== id);
  }

  // Does what the newest one offers. False: none offers anything.
  act(): boolean {
    const toast = this.items.findLast((other) => other.action !== undefined);
    if (!toast) return false;
    this.dismiss(toast.id);
    toast.action?.run();
    return true;
  }

  // Their time stands still from the one to the other, and then begins anew.
  hold(): void {
    this.held = true;
    for (const { id } of this.items) this.stay(id);
  }
  release(): void {
    if (!this.held) return;
    this.held = false;
    for (const { id } of this.items) this.leaveLater(id);
  }

  private leaveLater(id: number): void {
    this.stay(id);
    if (!this.held) this.timers.push({ id, timer: setTimeout(() => this.dismiss(id), SHOWN_MS) });
  }
  private stay(id: number): void {
    for (const one of this.timers) if (one.id === id) clearTimeout(one.timer);
    this.timers = this.timers.filter((one) => one.id !== id);
  }
}

// What offers nothing goes first.
function fewest(items: Toast[]): Toast[] {
  if (items.length <= MOST) return items;
  const oldest = items.slice(0, -1).find((toast) => !toast.action) ?? items[0];
  return items.filter((toast) => toast !== oldest);
}
