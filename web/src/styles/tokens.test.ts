import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync('src/styles/tokens.css', 'utf8');
const [light, dark] = css.split(":root[data-theme='dark']");

function colour(theme: string, name: string): number[] {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6})`).exec(theme)?.[1];
  if (!hex) throw new Error(`no --${name}`);
  return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
}
// WCAG 2.2, relative luminance and contrast ratio.
function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: number[], b: number[]): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const pairs = [
  ['text', 'bg'], ['text', 'bg-raised'], ['text', 'bg-sunken'], ['text', 'bg-hover'], ['text', 'accent-soft'],
  ['text-muted', 'bg'], ['text-muted', 'bg-raised'], ['text-muted', 'bg-sunken'], ['text-muted', 'code-bg'],
  ['accent', 'bg'], ['accent', 'bg-raised'], ['accent', 'bg-hover'], ['accent', 'accent-soft'], ['accent-text', 'accent'],
  ['danger', 'bg-raised'], ['danger', 'danger-soft'], ['warning', 'warning-soft'], ['warning', 'bg-raised'],
  ['code-keyword', 'code-bg'], ['code-string', 'code-bg'], ['code-title', 'code-bg'], ['code-number', 'code-bg'],
] as const; // prettier-ignore

test.each([
  ['light', light ?? ''],
  ['dark', dark ?? ''],
])('text of the %s theme meets AA contrast', (_name, theme) => {
  for (const [ink, paper] of pairs) {
    expect(contrast(colour(theme, ink), colour(theme, paper)), `${ink} on ${paper}`).toBeGreaterThanOrEqual(
      4.5,
    );
  }
});
