import { afterEach, expect, test, vi } from 'vitest';
import { copyToClipboard } from './clipboard';

afterEach(() => vi.unstubAllGlobals());

function page(secure: boolean, write: () => Promise<void>, command: boolean | Error): string[] {
  const selected: string[] = [];
  vi.stubGlobal('isSecureContext', secure);
  vi.stubGlobal('navigator', { clipboard: { writeText: write } });
  document.execCommand = () => {
    selected.push(document.querySelector('textarea')?.value ?? '');
    if (command instanceof Error) throw command;
    return command;
  };
  return selected;
}
const taken = () => Promise.resolve();
const refused = () => Promise.reject(new Error('NotAllowedError'));

test('the clipboard takes it where the page is secure', async () => {
  const selected = page(true, taken, false);
  expect(await copyToClipboard('a')).toBe(true);
  expect(selected).toEqual([]);
});

test('elsewhere a selected field is copied, and goes again', async () => {
  const selected = page(false, refused, true);
  expect(await copyToClipboard('a')).toBe(true);
  expect(selected).toEqual(['a']);
  expect(document.querySelector('textarea')).toBeNull();
});

test('where the clipboard refuses, the selected field is tried', async () => {
  const selected = page(true, refused, true);
  expect(await copyToClipboard('b')).toBe(true);
  expect(selected).toEqual(['b']);
});

test('what could not be copied is said', async () => {
  page(false, refused, false);
  expect(await copyToClipboard('a')).toBe(false);
  page(true, refused, new Error('no'));
  expect(await copyToClipboard('a')).toBe(false);
  expect(document.querySelector('textarea')).toBeNull();
});
