// Code highlighting, loaded when the first code block closes. Gives a list of spans, never HTML text.
import type { HLJSApi } from 'highlight.js';

export interface Span {
  text: string;
  kind: string; // highlight.js class without its prefix: "keyword"; '' for plain text
}

const LONGEST = 100_000; // characters; longer code stays plain
let loading: Promise<HLJSApi> | undefined;

export async function highlight(code: string, language: string): Promise<Span[] | null> {
  if (code.length > LONGEST || language === '') return null;
  loading ??= import('./languages').then((module) => module.default);
  const hljs = await loading;
  if (!hljs.getLanguage(language)) return null;
  const html = hljs.highlight(code, { language, ignoreIllegals: true }).value;
  return spansOf(html);
}

// highlight.js writes only <span class="…"> and escaped text; anything else is left out.
export function spansOf(html: string): Span[] {
  const spans: Span[] = [];
  const kinds: string[] = [];
  for (const part of html.match(/<span class="[^"]*">|<\/span>|[^<]+/g) ?? []) {
    if (part === '</span>') kinds.pop();
    else if (part.startsWith('<span')) kinds.push(/hljs-([a-z_-]+)/.exec(part)?.[1] ?? '');
    else spans.push({ text: unescape(part), kind: kinds.at(-1) ?? '' });
  }
  return spans;
}

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&amp;': '&',
};
function unescape(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => entities[entity] ?? entity);
}
