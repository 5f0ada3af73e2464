// The page's state and what can be done to it. Frames come in through the connection, views read the fields and call
// the methods; every change of a conversation goes through the pure reducers beside this file.
import { Connection, CommandFailed, type ConnectionState } from '../socket/connection';
import type {
  Arguments,
  ChatSettings,
  Command,
  ConversationEvent,
  Decision,
  Delta,
  Frame,
  Hello,
  Model,
  Output,
  Summary,
  Tools,
} from '../protocol';
import { PROTOCOL_VERSION } from '../protocol';
import { strings } from '../text/strings';
import { have, prepend, reduce, type ConversationView } from './conversation';
import { mergePage, upsert } from './list';
import { Toasts } from './toasts.svelte';
import { Toolbox } from './toolbox.svelte';
import { isAnswering } from './turns';

const PAGE = 50;

export class App {
  connectionState = $state<ConnectionState>('connecting');
  everConnected = $state(false);
  hello = $state.raw<Hello | null>(null);
  model = $state.raw<Model | null>(null);
  list = $state.raw<Summary[]>([]);
  listLoaded = $state(false);
  moreListed = $state(false);
  selected = $state<string | null>(null); // conversation id of the address; null: a new chat
  view = $state.raw<ConversationView | null>(null);
  missing = $state(false); // the selected conversation does not exist
  trouble = $state(''); // why the selected conversation could not be read
  making = $state<string | null>(null); // the new chat that a message is being sent to
  loadingOlder = $state(false);
  readonly toasts = new Toasts();
  readonly toolbox = new Toolbox(
    {
      list: () => this.listTools(),
      change: (conversation, tools) => this.changeSettings(conversation, { tools }),
    },
    () => (this.selected === null ? null : this.view?.summary),
  );
  private readonly listed = $derived(this.list.find((s) => s.conversation === this.selected));
  private readonly running = $derived((this.listed ?? this.view?.summary)?.answering ?? false);
  readonly outdated = $derived(this.hello !== null && this.hello.protocol !== PROTOCOL_VERSION);
  readonly answering = $derived(isAnswering(this.view, this.running));

  private readonly connection: Connection;
  private opening: string | null = null;
  private deltas: (Delta | Arguments)[] = []; // that the next frame of the screen will show
  private listedTo: Summary | undefined; // the last of the pages so far; others may have been listed behind it

  constructor(
    socketUrl: string,
    private readonly makeId: () => string,
  ) {
    const environment = {
      url: socketUrl,
      makeSocket: (url: string) => new WebSocket(url),
      makeId,
      random: () => Math.random(),
    };
    this.connection = new Connection(environment, {
      state: (state) => (this.connectionState = state),
      frame: (frame) => this.take(frame),
      failure: (failure) => this.takeFailure(failure.message),
    });
  }

  start(): void {
    this.connection.open();
  }

  hurry(): void {
    this.connection.hurry();
  }

  // Shows a conversation, or the empty page for a new one.
  select(conversation: string | null): void {
    if (conversation === this.selected) return;
    if (this.selected) void this.attempt({ type: 'close', conversation: this.selected }, true);
    this.selected = conversation;
    this.view = null;
    this.missing = false;
    this.trouble = '';
    if (conversation) void this.open(conversation);
  }

  // Sends a message; makes the conversation first when there is none. Resolves to its id when the server has it.
  async send(text: string): Promise<string | null> {
    if (this.selected) return this.sendTo(this.selected, text);
    if (this.making) return null;
    const conversation = (this.making = this.makeId());
    const made = await this.make(conversation);
    if (made && this.selected === null) this.select(conversation); // unless another one was chosen meanwhile
    const sent = made ? await this.sendTo(conversation, text) : null;
    this.making = null;
    return sent;
  }

  // A conversation with the tools that were chosen for it.
  private async make(conversation: string): Promise<boolean> {
    if (!(await this.attempt({ type: 'create', conversation, title: '' }))) return false;
    const tools = this.toolbox.forNewChat;
    if (tools !== null && !(await this.changeSettings(conversation, { tools }))) return false;
    this.toolbox.forNewChat = null;
    return true;
  }

  private async sendTo(conversation: string, text: string): Promise<string | null> {
    return (await this.attempt({ type: 'send', conversation, text })) ? conversation : null;
  }

  stop(): void {
    if (this.selected) void this.attempt({ type: 'stop', conversation: this.selected });
  }

  regenerate(message: string): void {
    if (this.selected) void this.attempt({ type: 'regenerate', conversation: this.selected, message });
  }

  continueAnswer(message: string): void {
    if (this.selected) void this.attempt({ type: 'continue', conversation: this.selected, message });
  }

  // What the user says to a call that waits. True when the server has it.
  decide(message: string, call: string, decision: Decision): Promise<boolean> {
    const conversation = this.selected;
    if (!conversation) return Promise.resolve(false);
    return this.attempt({ type: 'decide', conversation, message, call, decision });
  }

  cancelCall(message: string, call: string): Promise<boolean> {
    const conversation = this.selected;
    if (!conversation) return Promise.resolve(false);
    return this.attempt({ type: 'cancel_call', conversation, message, call });
  }

  // A piece of what a tool put out, from byte `offset` on. Null when it cannot be had.
  async readOutput(message: string, call: string, offset: number): Promise<Output | null> {
    const conversation = this.selected;
    if (!conversation) return null;
    const command: Command = { type: 'output', conversation, message, call, offset };
    const answer = await this.connection.send(command).catch(() => null);
    return answer?.type === 'output' ? answer : null;
  }

  rename(conversation: string, title: string): void {
    void this.attempt({ type: 'rename', conversation, title });
  }

  async remove(conversation: string): Promise<void> {
    if (!(await this.attempt({ type: 'delete', conversation }))) return;
    this.toasts.show({
      text: strings.deleted,
      action: { label: strings.undo, run: () => this.restore(conversation) },
    });
  }

  // Brings a deleted conversation back.
  restore(conversation: string): void {
    void this.attempt({ type: 'undelete', conversation });
  }

  // Reads the selected conversation again.
  tryAgain(): void {
    if (this.selected) void this.open(this.selected);
  }

  changeSettings(conversation: string, settings: Partial<ChatSettings>): Promise<boolean> {
    return this.attempt({ type: 'settings', conversation, ...settings });
  }

  async listMore(): Promise<void> {
    const last = this.listedTo;
    const before = last ? { updated_at: last.updated_at, conversation: last.conversation } : null;
    const answer = await this.connection.send({ type: 'list', before, limit: PAGE }).catch(() => null);
    if (answer?.type !== 'conversations') return;
    this.list = mergePage(this.list, answer.items);
    this.listedTo = answer.items.at(-1) ?? last;
    this.moreListed = answer.more;
  }

  private async listTools(): Promise<Tools> {
    const answer = await this.connection.send({ type: 'tools' });
    if (answer.type !== 'tools') throw new Error('The server gave another answer.');
    return answer;
  }

  async loadOlder(): Promise<void> {
    const view = this.view;
    const first = view?.messages[0];
    if (!view?.more || !first || this.loadingOlder) return;
    this.loadingOlder = true;
    const command: Command = {
      type: 'older',
      conversation: view.conversation,
      before: first.message,
      limit: PAGE,
    };
    const answer = await this.connection.send(command).catch(() => null);
    this.loadingOlder = false;
    if (answer?.type !== 'messages' || this.view?.conversation !== answer.conversation) return;
    this.view = prepend(this.view, first.message, answer.items, answer.more);
  }

  private async open(conversation: string): Promise<void> {
    if (this.opening === conversation) return;
    this.opening = conversation;
    this.trouble = '';
    try {
      await this.connection.sendOnce({ type: 'open', conversation, have: have(this.view) });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (this.selected === conversation) this.noteFailedOpen(error);
    } finally {
      if (this.opening === conversation) this.opening = null;
    }
  }

  // A lost connection is no trouble: the next one opens the conversation again.
  private noteFailedOpen({ frame }: CommandFailed): void {
    if (frame.code === 'not_found') this.missing = true;
    else if (frame.code !== 'connection_lost') this.trouble = frame.message;
  }

  // No command asked for it: the server could not read on in what is open.
  private takeFailure(why: string): void {
    if (this.selected) this.trouble = why;
    else this.toasts.show({ text: why, danger: true });
  }

  // True when the server has done it; says why not otherwise.
  private async attempt(command: Command, once = false): Promise<boolean> {
    try {
      await (once ? this.connection.sendOnce(command) : this.connection.send(command));
      return true;
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (error.frame.code !== 'connection_lost')
        this.toasts.show({ text: error.frame.message, danger: true });
      return false;
    }
  }

  private take(frame: Exclude<Frame, { re: unknown }>): void {
    switch (frame.type) {
      case 'hello':
        this.greet(frame);
        break;
      case 'listed':
        this.list = upsert(this.list, frame.item);
        if (frame.item.deleted && frame.item.conversation === this.selected) this.select(null);
        break;
      case 'model':
        this.model = frame.model;
        break;
      case 'tools_changed':
        void this.toolbox.refresh();
        break;
      default:
        this.takeEvent(frame);
    }
  }

  private greet(hello: Hello): void {
    this.hello = hello;
    this.model = hello.model;
    this.everConnected = true;
    this.opening = null;
    void this.listFresh();
    void this.toolbox.refresh();
    if (this.selected) void this.open(this.selected);
  }

  private async listFresh(): Promise<void> {
    const answer = await this.connection.send({ type: 'list', before: null, limit: PAGE }).catch(() => null);
    if (answer?.type !== 'conversations') return;
    this.list = mergePage([], answer.items);
    this.listedTo = answer.items.at(-1);
    this.moreListed = answer.more;
    this.listLoaded = true;
  }

  // Text is shown once per frame of the screen, however many pieces it comes in: a page that lays out every token falls
  // behind a fast model. A hidden page has no frames.
  private takeEvent(event: ConversationEvent): void {
    if ((event.type === 'delta' || event.type === 'arguments') && !document.hidden) {
      this.deltas.push(event);
      if (this.deltas.length === 1) requestAnimationFrame(() => this.showDeltas());
      return;
    }
    this.showDeltas();
    this.apply(event);
  }

  private showDeltas(): void {
    const deltas = this.deltas;
    this.deltas = [];
    for (const delta of deltas) this.apply(delta);
  }

  private apply(event: ConversationEvent): void {
    if (event.conversation !== this.selected) return;
    const reduced = reduce(this.view, event, this.hello?.instance ?? '');
    if (reduced === 'resync') void this.open(event.conversation);
    else this.view = reduced.view;
    if (event.type === 'snapshot') this.missing = false;
  }
}
