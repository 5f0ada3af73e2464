// What this browser remembers: theme, sidebar, unsent drafts. Nothing secret, nothing that the server needs.

export type Theme = 'system' | 'light' | 'dark';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is off: nothing is remembered
  }
}

function write(key: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // storage is off or full: nothing is remembered
  }
}

export class Preferences {
  theme = $state<Theme>(themes.find((t) => t === read('parley.theme')) ?? 'system');
  sidebar = $state(read('parley.sidebar') !== 'hidden');

  setTheme(theme: Theme): void {
    this.theme = theme;
    write('parley.theme', theme);
  }

  setSidebar(shown: boolean): void {
    this.sidebar = shown;
    write('parley.sidebar', shown ? '' : 'hidden');
  }

  draft(conversation: string | null): string {
    return read(`parley.draft.${conversation ?? 'new'}`) ?? '';
  }

  keepDraft(conversation: string | null, text: string): void {
    write(`parley.draft.${conversation ?? 'new'}`, text);
  }
}
