// A code block with its bar: language, wrap, copy; long ones collapsed. Built from elements, no HTML text.
import { copyToClipboard } from '../text/clipboard';
import { strings } from '../text/strings';
import { highlight } from './highlight';
import { icon } from './icon';

const COLLAPSE_ABOVE = 40; // lines

function button(
  label: string,
  iconName: 'copy' | 'wrap',
  run: (button: HTMLButtonElement) => void,
): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'code-button';
  element.append(icon(iconName), document.createTextNode(label));
  element.addEventListener('click', () => run(element));
  return element;
}

export function codeBlock(code: string, language: string, closed: boolean): HTMLElement {
  const block = document.createElement('div');
  block.className = 'code';
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  const name = document.createElement('span');
  name.textContent = language;
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  const text = document.createElement('code');
  text.textContent = code;
  pre.append(text);
  const copy = button(strings.copy, 'copy', (self) => void copyText(code, self));
  copy.setAttribute('aria-label', strings.copyCode);
  bar.append(
    name,
    button(strings.wrap, 'wrap', () => block.classList.toggle('wrapped')),
    copy,
  );
  block.append(bar, pre);
  if (closed) {
    void colour(text, code, language);
    collapse(block, code);
  }
  return block;
}

async function copyText(text: string, button: HTMLButtonElement): Promise<void> {
  const copied = await copyToClipboard(text);
  const label = button.lastChild;
  if (!label) return;
  label.textContent = copied ? strings.copied : strings.copyFailed;
  button.setAttribute('aria-label', copied ? strings.copied : strings.copyFailed);
  const back = () => {
    label.textContent = strings.copy;
    button.setAttribute('aria-label', strings.copyCode);
  };
  setTimeout(back, copied ? 1500 : 5000);
}

async function colour(element: HTMLElement, code: string, language: string): Promise<void> {
  const spans = await highlight(code, language.toLowerCase());
  if (!spans) return;
  element.replaceChildren(
    ...spans.map((span) => {
      if (span.kind === '') return document.createTextNode(span.text);
      const part = document.createElement('span');
      part.className = `hl-${span.kind}`;
      part.textContent = span.text;
      return part;
    }),
  );
}

function collapse(block: HTMLElement, code: string): void {
  const lines = code.split('\n').length - 1;
  if (lines <= COLLAPSE_ABOVE) return;
  block.classList.add('collapsed');
  const toggle = document.createElement('button');
  toggle.type = 'button';
  toggle.className = 'code-more';
  toggle.textContent = strings.showAll(lines);
  toggle.addEventListener('click', () => {
    const collapsed = block.classList.toggle('collapsed');
    toggle.textContent = collapsed ? strings.showAll(lines) : strings.showLess;
  });
  block.append(toggle);
}
