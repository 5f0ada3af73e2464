// What a person reads stays where it is, and the keyboard stays where the person is: the real page, states that the test
// makes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { FakeServer, Talk, chat, message, summary, toolList } from './fake_server.mjs';
import { Browser, root, until, whyNoBrowser } from './harness.mjs';

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

const words = (n) => `Message ${n}. ${'Some words that fill a line or two of the column. '.repeat(6)}`;
const turns = (from, to) =>
  Array.from({ length: to - from }, (_, i) => from + i).map((n) =>
    message(`m${n}`, { role: n % 2 === 0 ? 'user' : 'assistant', text: words(n), parent: n > 0 ? `m${n - 1}` : null }),
  );

async function open({ viewport = { width: 1440, height: 900 }, messages = turns(40, 60), more = false } = {}) {
  const talk = new Talk();
  talk.shows(messages);
  talk.opened = () =>
    talk.tell({ type: 'snapshot', conversation: chat, seq: talk.seq, summary: summary(), messages, more });
  talk.answers.tools = () => toolList([]);
  const context = await browser.chromium.newContext({ viewport });
  const page = await browser.tab(context, server.url, { before: (made) => talk.listen(made), path: `/c/${chat}` });
  await page.locator('article').first().waitFor();
  return { page, talk };
}
const top = (page, n) => page.getByText(new RegExp(`^Message ${n}\\. `)).evaluate((e) => e.getBoundingClientRect().top);

test('older messages that come late move nothing, though the answer grew meanwhile', { skip }, async () => {
  const messages = turns(40, 60);
  messages[19] = { ...messages[19], status: 'streaming', stop_reason: null };
  const { page, talk } = await open({ messages, more: true });
  let asked;
  const take = talk.take.bind(talk);
  talk.take = (command) => (command.type === 'older' ? (asked = command) : take(command));
  await page.locator('.scroll').evaluate((e) => (e.scrollTop = 150));
  await until(() => asked !== undefined);
  const before = await top(page, 40);
  const text = '\n\nMore of the answer that is being written.'.repeat(40);
  const offset = Buffer.byteLength(messages[19].text);
  talk.tell({ type: 'delta', conversation: chat, message: 'm59', epoch: 1, offset, text });
  await page.waitForTimeout(300);
  talk.tell({ type: 'messages', re: asked.id, conversation: chat, items: turns(0, 40), more: false });
  await page.getByText(/^Message 0\. /).waitFor({ state: 'attached' });
  await page.waitForTimeout(200);
  assert.ok(Math.abs((await top(page, 40)) - before) < 3, `${before} became ${await top(page, 40)}`);
  assert.deepEqual(page.problems, []);
});

test('a question of another tab moves nothing that is read here; one of this tab shows the end', { skip }, async () => {
  const { page, talk } = await open();
  const scroller = page.locator('.scroll');
  await scroller.evaluate((e) => (e.scrollTop = 100));
  await page.waitForTimeout(200);
  talk.event('message_added', { message: message('x', { role: 'user', text: 'From elsewhere', parent: 'm59' }) });
  await page.getByText('From elsewhere').waitFor({ state: 'attached' });
  await page.waitForTimeout(200);
  assert.equal(await scroller.evaluate((e) => Math.round(e.scrollTop)), 100);
  talk.answers.send = ({ id, text }) => {
    talk.event('message_added', { message: message(id, { role: 'user', text, parent: 'x' }) });
    return { type: 'ack' };
  };
  await page.getByLabel('Message Parley').fill('From here');
  await page.keyboard.press('Enter');
  await page.getByText('From here').waitFor();
  await until(() => scroller.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight < 60));
});

const inside = (page, selector) =>
  page.evaluate((where) => document.activeElement?.closest(where) !== null, selector);
async function tabs(page, selector, presses = 25) {
  for (let i = 0; i < presses; i++) {
    await page.keyboard.press('Tab');
    assert.equal(await inside(page, 'main'), false, `the keyboard left ${selector}`);
  }
}
const phone = { width: 390, height: 844 };

test('the sidebar on a phone takes the keyboard, holds it and gives it back', { skip }, async () => {
  const { page } = await open({ viewport: phone });
  await page.locator('#menu-button').focus();
  await page.keyboard.press('Enter');
  await until(() => inside(page, '.side'));
  await tabs(page, 'the sidebar');
  await page.keyboard.press('Escape');
  await until(() => page.evaluate(() => document.activeElement?.id === 'menu-button'));
  assert.deepEqual(page.problems, []);
});

test('a panel on a phone takes the keyboard, holds it and gives it back', { skip }, async () => {
  const { page } = await open({ viewport: phone });
  for (const name of ['settings', 'tools']) {
    await page.locator(`#${name}-button`).focus();
    await page.keyboard.press('Enter');
    await until(() => inside(page, `#${name}`));
    assert.equal(await page.locator(`#${name}`).getAttribute('role'), 'dialog');
    await tabs(page, name);
    await page.locator(`#${name} .icon-button`).first().focus();
    await page.keyboard.press('Escape');
    await until(() => page.evaluate((id) => document.activeElement?.id === id, `${name}-button`));
  }
});

test('showing and hiding the sidebar takes the keyboard along', { skip }, async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'Hide sidebar' }).focus();
  await page.keyboard.press('Enter');
  await until(() => page.evaluate(() => document.activeElement?.id === 'menu-button'));
  await page.keyboard.press('Enter');
  await until(() => inside(page, '.side'));
});
