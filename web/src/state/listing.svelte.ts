// The conversations of the sidebar, page by page, newest use first. What events tell while a page is on its way is
// newer than the page.
import type { Conversations, Summary } from '../protocol';
import { mergePage, upsert } from './list';

export interface ListCommands {
  page(before: { updated_at: number; conversation: string } | null): Promise<Conversations>; // rejects with an Error
  failed(why: string): void; // older ones could not be read
}

export class Listing {
  items = $state.raw<Summary[]>([]);
  loaded = $state(false);
  more = $state(false);
  trouble = $state(''); // why there is no list yet, or not the newest one
  private last: Summary | undefined; // of the pages so far; others may have been listed behind it
  private awaited: Summary[][] = []; // for each page on its way: what was told meanwhile

  constructor(private readonly commands: ListCommands) {}

  find(conversation: string | null): Summary | undefined {
    return this.items.find((item) => item.conversation === conversation);
  }

  // Of an event.
  take(item: Summary): void {
    this.items = upsert(this.items, item);
    for (const told of this.awaited) told.push(item);
  }

  // From its beginning, on each connection.
  async refresh(): Promise<void> {
    this.trouble = '';
    try {
      const { page, told } = await this.read(null);
      this.items = mergePage(mergePage([], page.items), told);
      this.last = page.items.at(-1);
      this.more = page.more;
      this.loaded = true;
    } catch (error) {
      if (error instanceof Error) this.trouble = error.message;
    }
  }

  async readMore(): Promise<void> {
    const last = this.last;
    try {
      const before = last ? { updated_at: last.updated_at, conversation: last.conversation } : null;
      const { page, told } = await this.read(before);
      this.items = mergePage(mergePage(this.items, page.items), told);
      this.last = page.items.at(-1) ?? last;
      this.more = page.more;
    } catch (error) {
      if (error instanceof Error) this.commands.failed(error.message);
    }
  }

  private async read(
    before: Parameters<ListCommands['page']>[0],
  ): Promise<{ page: Conversations; told: Summary[] }> {
    const told: Summary[] = [];
    this.awaited.push(told);
    try {
      return { page: await this.commands.page(before), told };
    } finally {
      this.awaited = this.awaited.filter((other) => other !== told);
    }
  }
}
