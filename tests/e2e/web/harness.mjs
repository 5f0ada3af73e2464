// Starts a real server and a real browser for a test, and ends both. Needs the small model (scripts/model
// smollm2-135m) and Chromium; without one of them the tests are skipped, and say so.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const { chromium } = await import(`${root}/web/node_modules/playwright-core/index.mjs`);
export const binary = process.env.PARLEY_BINARY ?? `${root}/build/release/parley`;
const echoBinary = `${path.dirname(binary)}/tests/app/server/parley_fake_server`;
export const screenshots = process.env.PARLEY_SCREENSHOTS; // a folder to keep pictures in

export const model = process.env.PARLEY_E2E_MODEL ?? 'smollm2-135m';
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export function whyNoBrowser() {
  return browserPath ? undefined : 'no Chromium is installed';
}

// Why tests with the echo server cannot run here; undefined when they can.
export function whyNotEcho() {
  if (!browserPath) return 'no Chromium is installed';
  return existsSync(echoBinary) ? undefined : `not built: ${echoBinary}`;
}

// Why tests with the real model cannot run here.
export function whyNot() {
  if (!browserPath) return 'no Chromium is installed';
  const found = spawnSync(binary, ['inspect', model]);
  return found.status === 0 ? undefined : `the model ${model} is not here: scripts/model ${model}`;
}

export class Server {
  static async start(options = []) {
    const server = new Server();
    server.data = mkdtempSync(path.join(tmpdir(), 'parley-e2e-'));
    await server.launch(options);
    return server;
  }

  // The real server with a model that says back what it is told (tests/fakes/echo_chat_model.h).
  static async startEcho() {
    const server = new Server();
    await server.spawn(echoBinary, ['--ui-dir', `${root}/web/dist`]);
    return server;
  }

  // Resolves when the model is ready. `port` 0 the first time; the same one after a restart.
  // Temperature 0 and a high limit: the model says the same in every run, and long answers outlast a slow machine.
  async launch(options = [], port = 0) {
    const fixed = ['serve', '--model', model, '--data', this.data, '--port', String(port), '--kv-memory', '512M', '--max-tokens', '6000', '--temperature', '0'];
    await this.spawn(binary, [...fixed, ...options]);
  }

  async spawn(program, options) {
    this.process = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.log = '';
    this.process.stderr.on('data', (text) => (this.log += text));
    this.url = await new Promise((resolve, reject) => {
      let out = '';
      this.process.stdout.on('data', (text) => {
        out += text;
        const match = /listening on (http:\S+)/.exec(out);
        if (match) resolve(match[1]);
      });
      this.process.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${this.log}`)));
    });
    await until(async () => (await fetch(`${this.url}/health`)).status === 200, 60_000);
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  // 'SIGKILL' as a power cut, 'SIGTERM' as an operator.
  async end(signal = 'SIGTERM') {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.on('exit', resolve));
    this.process.kill(signal);
    await ended;
  }

  async remove() {
    await this.end();
    if (this.data) rmSync(this.data, { recursive: true, force: true });
  }
}

export async function until(condition, timeout = 30_000) {
  const end = Date.now() + timeout;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`waited ${timeout} ms in vain for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.chromium = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    return browser;
  }

  // A tab with its own storage; what went wrong in it is collected.
  async open(url, options = {}) {
    const context = await this.chromium.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    return this.tab(context, url);
  }

  // `before`: what to do with the page before it goes there.
  async tab(context, url, { before = () => undefined, path: place = '' } = {}) {
    const page = await context.newPage();
    await before(page);
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(String(error)));
    page.on('console', (message) => {
      const ownFault = message.type() === 'error' && !/net::ERR_|WebSocket connection/.test(message.text());
      if (ownFault) page.problems.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(url).origin) page.problems.push(`foreign: ${request.url()}`);
    });
    await page.goto(url + place);
    return page;
  }

  async end() {
    await this.chromium.close();
  }
}

export async function send(page, text) {
  const box = page.getByLabel('Message Parley');
  await box.fill(text);
  await until(() => page.getByRole('button', { name: 'Send' }).isEnabled());
  await box.press('Enter');
}

// The answer may have ended by itself meanwhile: a small model says what it likes.
export async function stopIfRunning(page) {
  const running = page.locator('article.answer[aria-busy=true]');
  await until(async () => {
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 1000 }).catch(() => undefined);
    return (await running.count()) === 0;
  });
  await answered(page);
}

export const answers = (page) => page.locator('article.answer');

export async function answered(page, count = 1, timeout = 120_000) {
  await until(async () => (await page.locator('article.answer[aria-busy=false]').count()) >= count, timeout);
  await page.getByRole('button', { name: 'Send' }).waitFor();
}

export async function picture(page, name) {
  if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

// What all tests of a file share: a server made by `start` and a browser; `skip` is the reason to have neither.
export function stage(skip, start) {
  const shared = {};
  before(async () => {
    if (skip) return;
    shared.server = await start();
    shared.browser = await Browser.start();
  });
  after(async () => {
    await shared.browser?.end();
    await shared.server?.remove();
  });
  return shared;
}
