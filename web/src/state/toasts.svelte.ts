// Short notices that leave by themselves, with at most one thing to do.

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

  show(options: ToastOptions): void {
    const toast = { ...options, id: this.next++ };
    this.items = [...this.items, toast].slice(-MOST);
    setTimeout(() => this.dismiss(toast.id), SHOWN_MS);
  }

  dismiss(id: number): void {
    this.items = this.items.filter((toast) => toast.id !== id);
  }
}
