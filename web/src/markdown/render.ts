// Markdown of one block to HTML text. Images become links (nothing foreign is fetched), fences keep their language.
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('default', {
  html: false,
  linkify: true,
  typographer: false,
  breaks: true, // models end the lines of a poem or an address with a bare newline
  maxNesting: 40,
});
const { escapeHtml } = markdown.utils;

markdown.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index];
  const address = String(token?.attrGet('src') ?? '');
  const label = token?.content === '' ? address : (token?.content ?? address);
  return `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;
};

markdown.renderer.rules['fence'] = (tokens, index) => {
  const token = tokens[index];
  const language = token?.info.trim().split(/\s+/)[0] ?? '';
  return `<pre data-language="${escapeHtml(language)}"><code>${escapeHtml(token?.content ?? '')}</code></pre>`;
};

// Alignment without a style attribute, which the page's policy forbids.
for (const rule of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _environment, self) => {
    const token = tokens[index];
    const align = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    if (token) token.attrs = align ? [['data-align', align]] : [];
    return self.renderToken(tokens, index, options);
  };
}

export function renderMarkdown(block: string): string {
  return markdown.render(block);
}
