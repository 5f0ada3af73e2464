// Which tools a chat uses, and how they are listed. Pure.
import type { Tool, ToolServer } from '../protocol';
import { own } from '../text/own';
import { strings } from '../text/strings';

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

export function tokensOn(tools: Tool[], settings: string[] | null): number {
  return tools.filter((tool) => isOn(tool, settings)).reduce((sum, tool) => sum + tool.tokens, 0);
}
