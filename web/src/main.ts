import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/markdown.css';
import { App as State } from './state/app.svelte';
import { Preferences } from './state/preferences.svelte';
import AppView from './views/App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no #app');
const scheme = location.protocol === 'https:' ? 'wss' : 'ws';

// crypto.randomUUID exists on secure origins only; a page over plain HTTP from another machine has none.
function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const app = new State(`${scheme}://${location.host}/ws`, makeId);
mount(AppView, { target, props: { app, preferences: new Preferences() } });
app.start();
