import { expect, test } from 'vitest';
import { blockElement } from './block_element';
import { spansOf } from './highlight';

// happy-dom loses a leading element in the sanitiser: code blocks are tested in a real browser (tests/e2e/web).
function html(markdown: string): string {
  const holder = document.createElement('div');
  holder.append(blockElement(markdown, false));
  return holder.innerHTML;
}

test('raw HTML is text', () => {
  for (const attack of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<style>*{display:none}</style>',
  ]) {
    const holder = document.createElement('div');
    holder.append(blockElement(attack, false));
    expect(holder.querySelector('script,img,svg,iframe,style'), attack).toBeNull();
    expect(holder.textContent).toContain(attack.slice(0, 7));
  }
});

test('only http, https and mail links are links, and they open apart', () => {
  expect(html('[a](https://x.example/)')).toContain('rel="noopener noreferrer"');
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '/settings',
  ]) {
    expect(html(`[a](${address})`), address).not.toContain('href');
  }
});

test('an image is a link, so that nothing foreign is fetched', () => {
  const shown = html('![a cat](https://x.example/cat.png)');
  expect(shown).not.toContain('<img');
  expect(shown).toContain('href="https://x.example/cat.png"');
  expect(shown).toContain('a cat');
});

test('no style attribute survives, alignment is kept as data', () => {
  const shown = html('| a | b |\n|:-:|--:|\n| 1 | 2 |');
  expect(shown).not.toContain('style=');
  expect(shown).toContain('data-align="right"');
});

test('the lines of a poem stay lines', () => {
  expect(html('The sun sets,\nthe river flows.')).toMatch(/sets,<br>\s*the river/);
});

test('deep nesting ends', () => {
  expect(() => html('> '.repeat(5000) + 'x')).not.toThrow();
  expect(() => html('- '.repeat(2000) + 'x')).not.toThrow();
  expect(() => html('['.repeat(20000))).not.toThrow();
});

test('highlighted spans keep the text', () => {
  const spans = spansOf(
    '<span class="hljs-keyword">if</span> (a &lt; <span class="hljs-number">1</span> &amp;&amp; b)',
  );
  expect(spans.map((s) => s.text).join('')).toBe('if (a < 1 && b)');
  expect(spans[0]).toEqual({ text: 'if', kind: 'keyword' });
});
