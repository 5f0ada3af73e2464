// The tools that the server offers, and which of them the chat that is shown uses. The list is asked for on each
// connection and whenever the server says that it changed; a list that came stays until a newer one does.
import type { Summary, Tools } from '../protocol';
import { awaited, isOn, switched } from './tools';

export interface ToolCommands {
  list(): Promise<Tools>; // rejects with an Error that says why
  change(conversation: string, tools: string[]): Promise<boolean>;
}

export class Toolbox {
  offered = $state.raw<Tools | null>(null);
  trouble = $state(''); // why the list could not be read
  forNewChat = $state.raw<string[] | null>(null); // chosen before there is a chat
  private wanted = $state.raw<{ conversation: string; names: string[] } | null>(null); // on its way
  private asked = 0;

  constructor(
    private readonly commands: ToolCommands,
    private readonly shown: () => Summary | null | undefined, // null: a new chat; undefined: not read yet
  ) {}

  // The chat's choice; null: what a new chat begins with.
  readonly choice = $derived.by(() => {
    const chat = this.shown();
    if (chat === null) return this.forNewChat;
    if (chat === undefined) return null;
    return this.wanted?.conversation === chat.conversation ? this.wanted.names : chat.settings.tools;
  });
  readonly numberOn = $derived((this.offered?.items ?? []).filter((tool) => isOn(tool, this.choice)).length);
  readonly awaited = $derived(awaited(this.offered?.items ?? [], this.offered?.servers ?? [], this.choice));
  readonly needsAttention = $derived(
    (this.offered?.problems.length ?? 0) > 0 ||
      (this.offered?.servers.some((server) => server.state === 'failed') ?? false),
  );

  async refresh(): Promise<void> {
    const turn = ++this.asked;
    try {
      const offered = await this.commands.list();
      if (turn === this.asked) this.offered = offered;
      this.trouble = '';
    } catch (error) {
      if (turn === this.asked && error instanceof Error) this.trouble = error.message;
    }
  }

  // Shown at once, and taken back when the server refuses it.
  async turn(name: string, on: boolean): Promise<void> {
    const names = switched(this.offered?.items ?? [], this.choice, name, on);
    const chat = this.shown();
    if (chat === null) this.forNewChat = names;
    if (!chat) return;
    const wanted = (this.wanted = { conversation: chat.conversation, names });
    await this.commands.change(chat.conversation, names);
    if (this.wanted === wanted) this.wanted = null;
  }
}
