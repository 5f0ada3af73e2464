// One socket per tab that comes back by itself. Commands carry an id and are sent again, also over a new socket, until
// the server has answered them; the server applies each once. What the server will not take, because it is too large, is
// given up: sent again, it would close the next socket too.
import { parseFrame } from '../parse_frame';
import type { Answer, Command, ErrorFrame, Frame } from '../protocol';
import { backoffMs } from './backoff';

export type ConnectionState = 'connecting' | 'open' | 'waiting';

export interface Environment {
  url: string;
  makeSocket(url: string): WebSocket;
  makeId(): string;
  random(): number;
}

export interface Listener {
  state(state: ConnectionState): void;
  frame(frame: Exclude<Frame, Answer>): void; // hello and events; answers go to whoever asked
  failure(error: ErrorFrame): void; // that answers no command
}

const TOO_LARGE = 1009; // close code

const LOST = { code: 'connection_lost', message: 'The connection was lost.' } as const;
const TOO_LONG = {
  code: 'too_long',
  message: 'The server does not take that much at once. Shorten it and send it again.',
} as const;

// An error of the server, or of this side: no answer came.
export type Failure = Omit<ErrorFrame, 'code'> & { code: ErrorFrame['code'] | 'connection_lost' };

interface Pending {
  text: string;
  id: string;
  resend: boolean;
  resolve(answer: Answer | Failure): void;
}

export class CommandFailed extends Error {
  constructor(readonly frame: Failure) {
    super(frame.message);
  }
}

export class Connection {
  private socket: WebSocket | null = null;
  private pending = new Map<string, Pending>();
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(
    private readonly environment: Environment,
    private readonly listener: Listener,
  ) {}

  open(): void {
    if (this.closed || this.socket) return;
    clearTimeout(this.timer);
    this.listener.state('connecting');
    const socket = this.environment.makeSocket(this.environment.url);
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (this.socket === socket) this.take(parseFrame(event.data));
    };
    socket.onclose = (event: CloseEvent) => {
      if (this.socket !== socket) return;
      if (event.code === TOO_LARGE && this.greeted) this.giveUpLongest();
      this.lost();
    };
  }

  // At once instead of after the wait: the page became visible, or the network came back.
  hurry(): void {
    if (!this.socket) this.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
    this.socket = null;
  }

  // Resolves with the answer, rejects with CommandFailed. `id`: of the command, where somebody has to know it.
  send(command: Command, id = this.environment.makeId()): Promise<Exclude<Answer, ErrorFrame>> {
    return this.enqueue(command, id, true);
  }

  // For commands that only make sense on the socket they were sent on (open, close): not sent again.
  sendOnce(command: Command): Promise<Exclude<Answer, ErrorFrame>> {
    return this.enqueue(command, this.environment.makeId(), false);
  }

  private enqueue(command: Command, id: string, resend: boolean): Promise<Exclude<Answer, ErrorFrame>> {
    return new Promise((resolve, reject) => {
      const settle = (answer: Answer | Failure) => {
        if (answer.type === 'error') reject(new CommandFailed(answer));
        else resolve(answer);
      };
      const pending = { text: JSON.stringify({ ...command, id }), id, resend, resolve: settle };
      this.pending.set(id, pending);
      if (this.isOpen()) this.socket?.send(pending.text);
      else if (!resend) this.drop(pending, LOST);
    });
  }

  private isOpen(): boolean {
    return this.socket?.readyState === 1 && this.greeted;
  }

  private greeted = false;

  private take(frame: Frame | null): void {
    if (!frame) return;
    if (frame.type === 'hello') {
      this.greeted = true;
      this.attempt = 0;
      this.listener.state('open');
      // Before the listener, whose own commands are sent as they come.
      for (const pending of this.pending.values()) if (pending.resend) this.socket?.send(pending.text);
      this.listener.frame(frame);
      return;
    }
    if ('re' in frame) {
      const pending = this.pending.get(frame.re ?? '');
      if (frame.type === 'error' && frame.re === null) this.listener.failure(frame);
      if (pending) {
        this.pending.delete(pending.id);
        pending.resolve(frame);
      }
      return;
    }
    this.listener.frame(frame);
  }

  private lost(): void {
    this.socket = null;
    this.greeted = false;
    for (const pending of [...this.pending.values()]) if (!pending.resend) this.drop(pending, LOST);
    if (this.closed) return;
    this.listener.state('waiting');
    this.timer = setTimeout(() => this.open(), backoffMs(this.attempt++, this.environment.random()));
  }

  // The close does not say which command it was. All that wait have been sent, so the longest is too large if any is.
  private giveUpLongest(): void {
    const bytes = (pending: Pending) => new TextEncoder().encode(pending.text).length;
    const longest = [...this.pending.values()].sort((a, b) => bytes(b) - bytes(a))[0];
    if (longest) this.drop(longest, TOO_LONG);
  }

  private drop(pending: Pending, reason: Pick<Failure, 'code' | 'message'>): void {
    this.pending.delete(pending.id);
    pending.resolve({ type: 'error', re: pending.id, ...reason });
  }
}
