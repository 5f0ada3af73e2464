// Tool calls and the tools panel in a real browser, in states that a real server cannot be brought into at will.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { FakeServer, Talk, call, chat, message, tool, toolList } from './fake_server.mjs';
import { Browser, picture, root, until, whyNoBrowser } from './harness.mjs';

const skip = whyNoBrowser() ?? (existsSync(`${root}/web/dist/index.html`) ? undefined : 'the UI is not built');
let server;
let browser;
before(async () => {
  if (skip) return;
  server = await FakeServer.start();
  browser = await Browser.start();
});
after(async () => {
  await browser?.end();
  await server?.remove();
});

const question = message('q', { role: 'user', text: 'Will it rain in Bremen tomorrow? Draw the temperatures as well.' });
const preview = { kind: 'command', words: ['/usr/local/bin/weather', '--city', 'Bad Ems; rm -rf /', '', '--days', '3'], input: '' };
const asking = call('k2', {
  name: 'run_report', state: 'awaiting_approval', result: '', output_bytes: 0, decision: null, elapsed_ms: 0,
  arguments: '{"city":"Bad Ems; rm -rf /","label":"","days":3}', preview,
}); // prettier-ignore

const turn = [
  question,
  message('a', {
    text: '<think>They ask for **two** things: the rain and a drawing.\n\nThe forecast comes first.</think>\n\nLet me look at the forecast first.',
    stop_reason: 'tool_calls',
    calls: [
      call('k1', { source: 'mcp:forecast', preview: { kind: 'mcp', words: ['forecast', 'weather'], input: '{"city":"Bremen"}' } }),
      call('k0', { name: 'draw_chart', images: ['image/png'], elapsed_ms: 1840, result: '[picture]', arguments: '{"kind":"line","values":[14,13,15]}' }),
    ],
    usage: { prompt_tokens: 900, cached_tokens: 512, completion_tokens: 31 },
    timings: { first_token_ms: 810, total_ms: 2000, tokens_per_second: 24, reasoning_ms: 4300 },
  }),
  message('b', {
    text: 'Rain is likely. Now the report for the second place:', stop_reason: 'tool_calls',
    calls: [
      asking,
      call('k3', { name: 'fetch_page', source: 'http', state: 'running', result: '', elapsed_ms: 0, started_at: Date.now() - 3100, arguments: '{"url":"https://weather.example/bremen"}' }),
      call('k4', { name: 'files_read', source: 'mcp:files', state: 'failed', result: 'The file /srv/notes.txt does not exist.', arguments: '{"path":"/srv/notes.txt"}', elapsed_ms: 12 }),
      call('k5', { name: 'send_mail', state: 'denied', decision: 'denied', result: 'The user did not allow this call.', elapsed_ms: 0 }),
      call('k6', { name: '', source: '', state: 'writing', arguments: '', result: '', elapsed_ms: 0 }),
    ],
    status: 'streaming',
  }),
]; // prettier-ignore
const tools = toolList(
  [
    tool('current_time', { source: 'builtin', policy: 'auto', tokens: 62, description: 'The date and time now, in any time zone.' }),
    tool('calculator', { source: 'builtin', policy: 'auto', tokens: 118, description: 'Evaluates an arithmetic expression exactly.' }),
    tool('weather', { tokens: 84, description: 'Current weather for a city' }),
    tool('send_mail', { policy: 'deny', tokens: 140, description: 'Sends a mail.' }),
    tool('files_read', { source: 'mcp:files', chosen: false, tokens: 133, description: 'Reads a file below the shared folder.' }),
  ],
  {
  approvals: [
    { tool: 'weather', source: 'command', conversation: null, since: 1796034195042, holds: true },
    { tool: 'files_read', source: 'mcp:files', conversation: chat, since: null, holds: false },
    { tool: 'search_web', source: 'mcp:search', conversation: null, since: null, holds: false },
  ],
  servers: [
    { name: 'files', state: 'ready', error: null, tools: 1, log: ['Secure MCP Filesystem Server running on stdio', 'Allowed directories: /srv/docs'] },
    { name: 'search', state: 'failed', error: 'It ended with exit status 1 three times in a row.', tools: 0, log: ['Error: connect ECONNREFUSED', '\u001b[31mgiving up\u001b[0m'] },
  ],
  problems: ['Line 12: "aproval" is no key of a tool; did you mean "approval"?'],
  file: '/home/me/.config/parley/tools.json', off: null,
  },
); // prettier-ignore

async function open(messages, { viewport, theme = 'light', list = tools, answering = true } = {}) {
  const talk = new Talk();
  talk.shows(messages, { answering });
  talk.answers.tools = () => list;
  const context = await browser.chromium.newContext({ viewport: viewport ?? { width: 1440, height: 1100 } });
  await context.addInitScript((name) => localStorage.setItem('parley.theme', name), theme);
  const page = await browser.tab(context, server.url, { before: (made) => talk.listen(made), path: `/c/${chat}` });
  await page.locator('article.answer').first().waitFor();
  return { page, talk };
}

test('a decision is made by the keyboard, and the keyboard stays at the card', { skip }, async () => {
  const { page, talk } = await open(turn);
  assert.ok(await page.evaluate(() => !document.activeElement.closest('.card')), 'the focus was stolen');
  const deny = page.getByRole('button', { name: 'Deny' });
  await until(() => deny.isEnabled());
  await deny.focus();
  await page.keyboard.press('Enter');
  await until(() => talk.commands('decide').length === 1);
  const { message: of, call: id, decision } = talk.commands('decide')[0];
  assert.deepEqual([of, id, decision], ['b', 'k2', 'deny']);
  talk.event('call_changed', { message: 'b', index: 0, call: { ...asking, state: 'denied', decision: 'denied' }, progress: null });
  await until(async () => (await deny.count()) === 0);
  await until(() => page.evaluate(() => document.activeElement.closest('.card') !== null));
  assert.deepEqual(page.problems, []);
});

test('the keyboard stays at a card that ends by itself', { skip }, async () => {
  const { page, talk } = await open(turn);
  await page.getByRole('button', { name: 'Cancel' }).focus();
  const done = call('k3', { name: 'fetch_page', source: 'http', result: '200' });
  talk.event('call_changed', { message: 'b', index: 1, call: done, progress: null });
  await until(async () => (await page.getByRole('button', { name: 'Cancel' }).count()) === 0);
  await until(() => page.evaluate(() => document.activeElement.getAttribute('aria-label') === 'Tool call: fetch_page'));
});

test('what was allowed is taken back by the keyboard, which goes on at the switch', { skip }, async () => {
  const { page, talk } = await open(turn);
  await page.getByRole('button', { name: /^Tools, 3 are on/ }).click();
  const again = page.getByRole('button', { name: 'Ask again: weather' });
  await again.focus();
  talk.answers.tools = () => ({ ...tools, approvals: [] });
  await page.keyboard.press('Enter');
  await until(() => talk.commands('forget_approval').length === 1);
  assert.equal(talk.commands('forget_approval')[0].tool, 'weather');
  talk.tell({ type: 'tools_changed' });
  await until(async () => (await again.count()) === 0);
  await until(() => page.evaluate(() => document.activeElement.matches('input[role=switch][aria-label=weather]')));
  assert.match(await page.locator('#tools [role=status]').last().innerText(), /was taken back/);
  assert.deepEqual(page.problems, []);
});

test('what the model thought is opened and closed by the keyboard, and is not copied', { skip }, async () => {
  const { page } = await open(turn, { answering: false });
  const summary = page.locator('summary', { hasText: 'Thought for 4 s' });
  assert.equal(await page.locator('.thoughts').count(), 0);
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.locator('.thoughts strong', { hasText: 'two' }).waitFor();
  await page.keyboard.press('Space');
  await until(async () => (await page.locator('.thoughts').count()) === 0);
  assert.deepEqual(page.problems, []);
});

test('thinking shows its newest lines and closes when the answer begins', { skip }, async () => {
  const begun = message('a', { status: 'streaming', stop_reason: null, text: '<think>' });
  const { page, talk } = await open([question, begun]);
  await page.getByText('Thinking').first().waitFor();
  const lines = Array.from({ length: 60 }, (_, i) => `Thought number ${i}.\n\n`).join('');
  talk.tell({ type: 'delta', conversation: chat, message: 'a', epoch: 1, offset: 7, text: lines });
  const newest = page.locator('.thoughts p').last();
  await until(async () => (await newest.innerText()) === 'Thought number 59.');
  const inSight = await newest.evaluate((line) => {
    const [inner, outer] = [line.getBoundingClientRect(), line.closest('.thoughts').getBoundingClientRect()];
    return inner.top >= outer.top && inner.bottom <= outer.bottom + 1 && outer.height < 260;
  });
  assert.ok(inSight, 'the newest line is out of sight');
  await picture(page, 'thinking');
  talk.tell({ type: 'delta', conversation: chat, message: 'a', epoch: 1, offset: 7 + lines.length, text: '</think>\n\nYes.' });
  await page.locator('.answer > .markdown', { hasText: 'Yes.' }).waitFor();
  assert.equal(await page.locator('.thoughts').count(), 0);
  assert.match(await page.locator('article.answer summary').innerText(), /^Thought for \d+ s$/);
  assert.deepEqual(page.problems, []);
});

test('a word of a command that is long, or ends in spaces, stays in its box', { skip }, async () => {
  const words = ['/bin/sh', `${'x'.repeat(3000)}`, `a${' '.repeat(400)}`, 'tab\there'];
  const wide = { ...asking, preview: { kind: 'command', words, input: '' } };
  const { page } = await open([question, message('a', { calls: [wide], stop_reason: 'tool_calls' })], {
    viewport: { width: 390, height: 900 },
  });
  const boxes = await page.locator('.waits ol').evaluate((list) => {
    const outer = list.getBoundingClientRect();
    return [...list.querySelectorAll('code')].map((box) => box.scrollWidth <= box.clientWidth + 1 && box.getBoundingClientRect().right <= outer.right + 1);
  });
  assert.deepEqual(boxes, [true, true, true, true]);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});

test('each argument has a box of its own', { skip }, async () => {
  const { page } = await open(turn);
  const boxes = await page.locator('.waits ol li').allInnerTexts();
  assert.deepEqual(boxes, ['/usr/local/bin/weather', '--city', 'Bad Ems; rm -rf /', 'empty', '--days', '3']);
});

test('pictures are shown under the policy, and nothing foreign is asked for', { skip }, async () => {
  const { page } = await open(turn);
  const image = page.getByRole('img', { name: 'Image 1 of draw_chart' });
  await until(() => image.evaluate((element) => element.complete && element.naturalWidth > 0));
  assert.deepEqual(page.problems, []);
});

test('no serious accessibility fault in cards and panel, in both themes and three widths', { skip }, async () => {
  for (const theme of ['light', 'dark'])
    for (const width of [390, 900, 1440]) {
      const { page } = await open(turn, { theme, viewport: { width, height: 1100 } });
      await page.getByText('Thought for 4 s').click();
      await page.getByText('Result').first().click();
      await picture(page, `tools-cards-${theme}-${width}`);
      await axe(page, `cards ${theme} ${width}`);
      await page.getByRole('button', { name: /^Tools, 3 are on/ }).click();
      for (const log of await page.getByText(/^Log, /).all()) await log.click();
      await page.waitForTimeout(200);
      await picture(page, `tools-panel-${theme}-${width}`);
      await axe(page, `panel ${theme} ${width}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      await page.context().close();
    }
});

async function axe(page, where) {
  await page.evaluate(readFileSync(`${root}/web/node_modules/axe-core/axe.min.js`, 'utf8'));
  const report = await page.evaluate(() => globalThis.axe.run());
  const serious = report.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
  assert.deepEqual(serious.map((v) => `${where}: ${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`), []);
}

test('the panel without tools says how to add one', { skip }, async () => {
  const { page } = await open(turn, { list: toolList([]) });
  await page.getByRole('button', { name: 'Tools, none is on' }).click();
  await page.getByText('No tools yet').waitFor();
  await page.getByText('/home/me/.config/parley/tools.json').waitFor();
  await picture(page, 'tools-empty');
  await axe(page, 'empty panel');
});

test('twenty calls whose arguments stream, and a result of 100 kB, leave the page fluid', { skip }, async () => {
  const calls = Array.from({ length: 20 }, (_, i) => call(`c${i}`, { result: 'row of data, 24 bytes..\n'.repeat(4200), output_bytes: 100_800 }));
  calls[19] = { ...calls[19], state: 'writing', arguments: '', result: '', output_bytes: 0 };
  const { page, talk } = await open([question, message('a', { calls, status: 'streaming', stop_reason: null })]);
  await page.evaluate(() => {
    globalThis.longest = 0;
    let before = performance.now();
    const tick = (now) => {
      globalThis.longest = Math.max(globalThis.longest, now - before);
      before = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  let offset = 0;
  for (let i = 0; i < 400; i++) {
    const text = i === 0 ? '{"text":"' : 'some words that stream, and more of them; '.repeat(6);
    talk.tell({ type: 'arguments', conversation: chat, message: 'a', epoch: 1, index: 19, offset, text });
    offset += text.length;
    if (i % 20 === 0) await page.waitForTimeout(20);
  }
  await page.getByText('Result').first().click();
  await page.getByRole('button', { name: /^Show all/ }).first().click();
  await until(async () => (await page.locator('.fold pre').first().innerText()).length > 100_000);
  await page.waitForTimeout(300);
  const longest = await page.evaluate(() => globalThis.longest);
  assert.ok(longest < 500, `a frame took ${longest} ms`); // generous: machines that test are busy
  assert.deepEqual(page.problems, []);
});
