// The page's state and what can be done to it. Frames come in through the connection, views read the fields and call
// the methods; every change of a conversation goes through the pure reducers beside this file.
import { Connection, CommandFailed, type ConnectionState } from '../socket/connection';
import type {
  Arguments,
  Audit,
  ChatSettings,
  Command,
  ConversationEvent,
  Conversations,
  Decision,
  Delta,
  Frame,
  Have,
  Hello,
  Model,
  Output,
  Tools,
} from '../protocol';
import { PROTOCOL_VERSION } from '../protocol';
import { strings } from '../text/strings';
import { Bin, type Deleted } from './bin';
import { have, prepend, reduce, withoutPreparing, type ConversationView } from './conversation';
import { Listing } from './listing.svelte';
import { Toasts } from './toasts.svelte';
import { Toolbox } from './toolbox.svelte';
import { isAnswering } from './turns';

const PAGE = 50;

// A message on its way; it will have this id.
interface Unsent {
  id: string;
  conversation: string;
  text: string;
}

export class App {
  connectionState = $state<ConnectionState>('connecting');
  everConnected = $state(false);
  hello = $state.raw<Hello | null>(null);
  model = $state.raw<Model | null>(null);
  clockAhead = $state(0); // of the server, in milliseconds
  selected = $state<string | null>(null); // conversation id of the address; null: a new chat
  view = $state.raw<ConversationView | null>(null);
  missing = $state(false); // the selected conversation does not exist
  trouble = $state(''); // why the selected conversation could not be read
  numSent = $state(0); // messages of this tab
  making = $state<string | null>(null); // the new chat that a message is being sent to
  private unsent = $state.raw<Unsent[]>([]);
  // Messages of the chat that is shown which the server has not told of yet.
  readonly unsentHere = $derived(
    this.unsent.filter(
      ({ id, conversation }) =>
        conversation === (this.selected ?? this.making) &&
        !this.view?.messages.some((message) => message.message === id),
    ),
  );
  private loadingOlder: string[] = []; // conversations whose older messages are on their way
  readonly toasts = new Toasts();
  private readonly bin = new Bin(this.toasts, (deleted) => void this.restoreAll(deleted));
  readonly listing = new Listing({
    page: (before) => this.readPage(before),
    failed: (why) => this.toasts.show({ text: why, danger: true }),
  });
  readonly toolbox = new Toolbox(
    {
      list: () => this.listTools(),
      change: (conversation, tools) => this.changeSettings(conversation, { tools }),
    },
    () => (this.selected === null ? null : this.view?.summary),
  );
  private readonly listed = $derived(this.listing.find(this.selected));
  private readonly running = $derived((this.listed ?? this.view?.summary)?.answering ?? false);
  readonly outdated = $derived(this.hello !== null && this.hello.protocol !== PROTOCOL_VERSION);
  readonly answering = $derived(isAnswering(this.view, this.running));

  private readonly connection: Connection;
  private opening: { conversation: string } | null = null; // the `open` whose answer is awaited
  private resumedFrom = ''; // what was held when the server was last asked to go on, over this connection
  private deltas: (Delta | Arguments)[] = []; // that the next frame of the screen will show

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
    if (this.selected) void this.attempt({ type: 'close', conversation: this.selected }, { once: true });
    this.selected = conversation;
    this.view = null;
    this.missing = false;
    this.trouble = '';
    this.opening = null; // it was closed behind that one
    if (conversation) void this.open(conversation);
  }

  // Sends a message; makes the conversation first when there is none. Resolves to its id when the server has it.
  async send(text: string): Promise<string | null> {
    const isNew = this.selected === null;
    if (isNew && this.making) return null;
    const conversation = this.selected ?? (this.making = this.makeId());
    const message = { id: this.makeId(), conversation, text };
    this.unsent = [...this.unsent, message];
    this.numSent += 1;
    const made = !isNew || (await this.make(conversation));
    if (isNew && made && this.selected === null) this.select(conversation); // unless another one was chosen meanwhile
    const sent = made && (await this.attempt({ type: 'send', conversation, text }, { id: message.id }));
    this.unsent = this.unsent.filter((other) => other !== message);
    if (isNew) this.making = null;
    return sent ? conversation : null;
  }

  // Null: in a new chat.
  isSending(conversation: string | null): boolean {
    if (conversation === null) return this.making !== null;
    return this.unsent.some((message) => message.conversation === conversation);
  }

  // A conversation with the tools that were chosen for it, or none.
  private async make(conversation: string): Promise<boolean> {
    if (!(await this.attempt({ type: 'create', conversation, title: '' }))) return false;
    const tools = this.toolbox.forNewChat;
    if (tools !== null && !(await this.changeSettings(conversation, { tools }))) {
      await this.connection.send({ type: 'delete', conversation }).catch(() => null); // the next try makes another
      return false;
    }
    this.toolbox.forNewChat = null;
    return true;
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

  // What the user says to a call that waits, as it is shown. True when the server has it.
  decide(message: string, call: string, decision: Decision): Promise<boolean> {
    const conversation = this.selected;
    if (!conversation) return Promise.resolve(false);
    const answer = this.view?.messages.find((m) => m.message === message);
    const definition = answer?.calls.find((c) => c.call === call)?.definition ?? null;
    return this.attempt({ type: 'decide', conversation, message, call, decision, definition });
  }

  cancelCall(message: string, call: string): Promise<boolean> {
    const conversation = this.selected;
    if (!conversation) return Promise.resolve(false);
    return this.attempt({ type: 'cancel_call', conversation, message, call });
  }

  // Has every call of this tool asked for again. True when the server has done it.
  forgetApproval(tool: string): Promise<boolean> {
    return this.attempt({ type: 'forget_approval', tool });
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

  // Only here its page is left; other tabs that show it say that it was deleted.
  async remove(conversation: string): Promise<void> {
    const wasOpen = this.selected === conversation;
    if (!(await this.attempt({ type: 'delete', conversation }))) return;
    if (this.selected === conversation) this.select(null);
    this.bin.put(conversation, wasOpen);
  }

  // Brings a deleted conversation back.
  restore(conversation: string): Promise<boolean> {
    return this.attempt({ type: 'undelete', conversation });
  }

  private async restoreAll({ conversations, open }: Deleted): Promise<void> {
    await Promise.all(conversations.map((conversation) => this.restore(conversation)));
    if (open && this.selected === null) this.select(open);
  }

  // Reads the selected conversation again.
  tryAgain(): void {
    if (this.selected) void this.open(this.selected);
  }

  changeSettings(conversation: string, settings: Partial<ChatSettings>): Promise<boolean> {
    return this.attempt({ type: 'settings', conversation, ...settings });
  }

  private async readPage(
    before: { updated_at: number; conversation: string } | null,
  ): Promise<Conversations> {
    const answer = await this.connection.send({ type: 'list', before, limit: PAGE });
    if (answer.type !== 'conversations') throw new Error(strings.wrongAnswer);
    return answer;
  }

  private async listTools(): Promise<Tools> {
    const answer = await this.connection.send({ type: 'tools' });
    if (answer.type !== 'tools') throw new Error(strings.wrongAnswer);
    return answer;
  }

  // A part of the log of calls: the newest, or those before what another part told.
  async readAudit(before: number | null): Promise<Audit> {
    const answer = await this.connection.send({ type: 'audit', before, limit: PAGE });
    if (answer.type !== 'audit') throw new Error(strings.wrongAnswer);
    return answer;
  }

  async loadOlder(): Promise<void> {
    const view = this.view;
    const first = view?.messages[0];
    if (!view?.more || !first || this.loadingOlder.includes(view.conversation)) return;
    const conversation = view.conversation;
    this.loadingOlder.push(conversation);
    try {
      const command: Command = { type: 'older', conversation, before: first.message, limit: PAGE };
      const answer = await this.connection.send(command);
      if (answer.type !== 'messages' || this.view?.conversation !== conversation) return;
      this.view = prepend(this.view, first.message, answer.items, answer.more);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (this.selected === conversation) this.toasts.show({ text: error.message, danger: true });
    } finally {
      this.loadingOlder = this.loadingOlder.filter((other) => other !== conversation);
    }
  }

  // Goes on from what is held of the conversation; `anew`: that does not fit, all of it is to come again.
  private async open(conversation: string, anew = false): Promise<void> {
    if (this.opening?.conversation === conversation) return;
    const opening = (this.opening = { conversation });
    this.trouble = '';
    if (this.view) this.view = withoutPreparing(this.view);
    try {
      await this.connection.sendOnce({ type: 'open', conversation, have: anew ? null : this.resumable() });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (this.opening === opening) this.noteFailedOpen(error);
    } finally {
      if (this.opening === opening) this.opening = null;
    }
  }

  // What did not fit the last time when the server went on from there does not fit this time either.
  private resumable(): Have | null {
    const held = have(this.view);
    const place = JSON.stringify(held);
    if (place === this.resumedFrom) return null;
    this.resumedFrom = place;
    return held;
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
  private async attempt(command: Command, how: { once?: boolean; id?: string } = {}): Promise<boolean> {
    try {
      await (how.once ? this.connection.sendOnce(command) : this.connection.send(command, how.id));
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
        this.listing.take(frame.item);
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
    this.clockAhead = hello.time - Date.now();
    this.everConnected = true;
    this.opening = null;
    this.resumedFrom = '';
    void this.listing.refresh();
    void this.toolbox.refresh();
    if (this.selected) void this.open(this.selected);
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
    if (typeof reduced === 'string') void this.open(event.conversation, reduced === 'misfit');
    else this.view = reduced.view;
    if (event.type === 'snapshot') this.missing = false;
  }
}
