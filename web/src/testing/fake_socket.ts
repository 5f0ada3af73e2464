// A socket that a test plays the server of.
import { hello } from './frames';

type Fields = Record<string, unknown>;

export class FakeSocket {
  static all: FakeSocket[] = [];
  static get newest(): FakeSocket {
    return FakeSocket.all.at(-1) ?? new FakeSocket();
  }

  readyState = 1;
  sent: string[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  receive(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  greet(): void {
    this.receive(hello);
  }
  // Commands of one type, oldest first.
  commands(type: string): Fields[] {
    return this.sent.map((text) => JSON.parse(text) as Fields).filter((command) => command['type'] === type);
  }
  // Answers the newest command of that type, and lets its promise settle.
  async answer(type: string, fields: Fields = { type: 'ack' }): Promise<void> {
    this.receive({ ...fields, re: this.commands(type).at(-1)?.['id'] });
    await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(null))));
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }
}
