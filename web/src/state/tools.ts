// Which tools a chat uses, and how they are listed. Pure.
import type { Approval, Tool, ToolServer } from '../protocol';
import { own } from '../text/own';
import { strings } from '../text/strings';
import { moment } from './figures';

// `settings`: the names that are switched on, or null for what a new chat begins with.
export function isOn(tool: Tool, settings: string[] | null): boolean {
  if (tool.policy === 'deny') return false;
  return settings ? settings.includes(tool.name) : tool.chosen;
}

// The servers that are starting for the first time, if they may bring a tool that the chat has switched on: the server
// lets a question wait for those.
export function awaited(tools: Tool[], servers: ToolServer[], settings: string[] | null): string[] {
  const missing = settings
    ? settings.some((name) => !tools.some((tool) => tool.name === name))
    : tools.some((tool) => tool.chosen);
  if (!missing) return [];
  return servers.filter(({ state, error }) => state === 'starting' && error === null).map(({ name }) => name);
}

// The names to ask for. Names that are not listed now, of a server that is down, stay.
export function switched(tools: Tool[], settings: string[] | null, name: string, on: boolean): string[] {
  const listed = tools.filter((tool) => isOn(tool, settings)).map((tool) => tool.name);
  const away = (settings ?? []).filter((other) => !tools.some((tool) => tool.name === other));
  const others = [...listed, ...away].filter((other) => other !== name);
  return on ? [...others, name] : others;
}

export interface ToolGroup {
  source: string;
  title: string;
  tools: Tool[];
}

// By where they come from, in the order in which the sources are told first.
export function groupBySource(tools: Tool[]): ToolGroup[] {
  const groups = new Map<string, ToolGroup>();
  for (const tool of tools) {
    const group = groups.get(tool.source) ?? { source: tool.source, title: titleOf(tool.source), tools: [] };
    group.tools.push(tool);
    groups.set(tool.source, group);
  }
  return [...groups.values()];
}

function titleOf(source: string): string {
  const [kind = '', ...rest] = source.split(':');
  const of: Record<string, (name: string) => string> = strings.toolSourceOf;
  return own<string>(strings.toolSources, source) ?? own(of, kind)?.(rest.join(':')) ?? source;
}

// What the user has allowed of a tool until it is taken back.
export interface Allowed {
  always: Approval | null; // in every chat
  here: Approval | null; // in the chat that is shown
  elsewhere: number; // other chats
}

// Null: nothing. What does not hold was for the tool as it was before, and no call runs by it.
export function allowedOf(
  name: string,
  approvals: Approval[],
  conversation: string | null,
): Allowed | 'outdated' | null {
  const all = approvals.filter((approval) => approval.tool === name);
  const holding = all.filter((approval) => approval.holds);
  if (holding.length === 0) return all.length === 0 ? null : 'outdated';
  const inChats = holding.filter((approval) => approval.conversation !== null);
  return {
    always: holding.find((approval) => approval.conversation === null) ?? null,
    here: inChats.find((approval) => approval.conversation === conversation) ?? null,
    elsewhere: inChats.filter((approval) => approval.conversation !== conversation).length,
  };
}

export function runsUnasked(allowed: Allowed | 'outdated' | null): boolean {
  return allowed !== null && allowed !== 'outdated' && (allowed.always !== null || allowed.here !== null);
}

export function allowedWords(allowed: Allowed | 'outdated'): string {
  if (allowed === 'outdated') return strings.allowed.outdated;
  const since = (approval: Approval) => (approval.since === null ? '' : moment(approval.since));
  const words: string[] = [];
  if (allowed.always) words.push(strings.allowed.always(since(allowed.always)));
  if (allowed.here) words.push(strings.allowed.here(since(allowed.here)));
  if (allowed.elsewhere > 0) words.push(strings.allowed.elsewhere(allowed.elsewhere));
  return words.join(' ');
}

// Names of tools that are not listed, of which something was allowed: it holds again when they come back.
export function allowedButAway(tools: Tool[], approvals: Approval[]): string[] {
  const names = approvals.map((approval) => approval.tool);
  return [...new Set(names)].filter((name) => !tools.some((tool) => tool.name === name)).sort();
}

export function tokensOn(tools: Tool[], settings: string[] | null): number {
  return tools.filter((tool) => isOn(tool, settings)).reduce((sum, tool) => sum + tool.tokens, 0);
}
