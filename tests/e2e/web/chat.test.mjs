// A person chats: the flows of the page against the real server and the real small model.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Server, answered, answers, picture, root, send, stage, stopIfRunning, until, whyNot } from './harness.mjs';

const skip = whyNot();
const shared = stage(skip, () => Server.start());

const text = async (locator) => (await locator.textContent()) ?? '';

test('an answer streams in, with its figures', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  await picture(page, 'empty');
  await send(page, 'Name three colours.');
  await answered(page);
  assert.match(page.url(), /\/c\/[0-9a-f-]{36}$/);
  assert.ok((await text(answers(page).locator('.markdown'))).length > 3);
  assert.match(await text(answers(page).locator('.numbers')), /tokens? · .* tok\/s · first after .* s · .* cached/);
  await until(async () => (await page.getByRole('link', { name: /Name three colours/ }).count()) === 1);
  assert.deepEqual(page.problems, []);
});

test('the second turn reads only what is new', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Write one sentence about the sea.');
  await answered(page);
  await send(page, 'And one about the mountains.');
  await answered(page, 2);
  const [, cached, all] = /([\d,]+) of ([\d,]+) cached/.exec(await text(answers(page).nth(1).locator('.numbers')));
  const [first] = [/^([\d,]+) token/.exec(await text(answers(page).nth(0).locator('.numbers')))];
  const number = (shown) => Number(shown.replaceAll(',', ''));
  const newTokens = number(all) - number(cached);
  assert.ok(newTokens <= 45, `${newTokens} tokens were read again (${cached} of ${all} cached)`);
  assert.ok(number(cached) >= number(first[1]), 'the first answer was read again');
});

test('a reload in mid-answer goes on where it was', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Write a long story about a lighthouse keeper and a whale.');
  await until(async () => (await answers(page).locator('.markdown').count()) === 1);
  await page.reload();
  await until(async () => (await text(answers(page).locator('.markdown'))).length > 20);
  await stopIfRunning(page);
  const stopped = await text(answers(page).locator('.markdown'));
  await page.reload();
  await until(async () => (await answers(page).count()) === 1);
  assert.equal(await text(answers(page).locator('.markdown')), stopped);
  assert.deepEqual(page.problems, []);
});

test('two tabs show the same stream', { skip }, async () => {
  const first = await shared.browser.open(shared.server.url);
  await send(first, 'Count from one to thirty in words.');
  await until(async () => /\/c\//.test(first.url()));
  const second = await shared.browser.tab(first.context(), first.url());
  await until(async () => (await text(answers(second).locator('.markdown').first())).length > 0);
  await answered(first);
  await answered(second);
  assert.equal(await text(answers(first).locator('.markdown')), await text(answers(second).locator('.markdown')));
  await send(second, 'Thank you.');
  await answered(first, 2);
  assert.equal(await text(answers(first).nth(1).locator('.markdown')), await text(answers(second).nth(1).locator('.markdown')));
});

test('stop, continue and answer again', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Write a long essay about the history of bread.');
  await until(async () => (await answers(page).locator('.markdown').count()) === 1);
  await page.getByLabel('Message Parley').press('Escape');
  await answered(page);
  assert.match(await text(answers(page)), /You stopped this answer/);
  const before = await text(answers(page).locator('.markdown'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await until(async () => !/You stopped this answer/.test(await text(answers(page))));
  await stopIfRunning(page);
  assert.ok((await text(answers(page).locator('.markdown'))).startsWith(before.trimEnd()));
  await page.getByRole('button', { name: 'Answer again' }).click();
  await stopIfRunning(page);
  assert.equal(await answers(page).count(), 1);
});

test('a reader who has gone up stays there while the answer grows', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Write a long essay about the history of cheese.');
  const log = page.getByRole('log');
  const room = () => log.evaluate((element) => element.scrollHeight - element.clientHeight);
  await until(async () => (await room()) > 300);
  await log.evaluate((element) => (element.scrollTop = 0));
  const before = await room();
  await until(async () => (await room()) > before + 100);
  assert.equal(await log.evaluate((element) => element.scrollTop), 0);
  await page.getByRole('button', { name: 'To the newest' }).click();
  await until(async () => log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 60));
  await stopIfRunning(page);
});

test('rename in place, delete with undo', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Say hello to the tester.');
  await answered(page);
  const item = page.getByRole('link', { name: /Say hello to the tester/ });
  await item.hover();
  await page.getByRole('button', { name: /Options for Say hello/ }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Rename' }).fill('Greeting <b>bold</b>');
  await page.getByRole('textbox', { name: 'Rename' }).press('Enter');
  const renamed = page.getByRole('link', { name: 'Greeting <b>bold</b>' });
  await renamed.waitFor();
  await renamed.hover();
  await page.getByRole('button', { name: /Options for Greeting/ }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await until(async () => (await renamed.count()) === 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await renamed.waitFor();
  await renamed.click();
  await until(async () => (await answers(page).count()) === 1);
});

test('settings belong to the chat and are kept', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Hello.');
  await answered(page);
  await page.getByRole('button', { name: 'Chat settings' }).click();
  await page.getByLabel(/System prompt/).fill('You answer like a pirate.');
  await page.getByLabel(/Longest answer/).fill('3');
  await page.getByLabel(/Longest answer/).press('Tab');
  await page.reload();
  await page.getByRole('button', { name: 'Chat settings' }).click();
  await until(async () => (await page.getByLabel(/System prompt/).inputValue()) === 'You answer like a pirate.');
  await send(page, 'Tell me a very long story.');
  await answered(page, 2);
  assert.match(await text(answers(page).nth(1)), /reached its length limit/);
  await picture(page, 'settings');
});

test('a draft survives a reload', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await page.getByLabel('Message Parley').fill('half a thought');
  await page.reload();
  await until(async () => (await page.getByLabel('Message Parley').inputValue()) === 'half a thought');
});

test('kill -9 loses nothing that was acknowledged; the cut answer can be continued', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Write a long poem about rivers.');
  await until(async () => (await text(answers(page).locator('.markdown').first()).catch(() => '')).length > 40);
  await page.waitForTimeout(1200); // answers are saved at least every second
  const port = shared.server.port;
  await shared.server.end('SIGKILL');
  await page.getByText('The connection was lost').waitFor();
  await picture(page, 'reconnecting');
  await shared.server.launch([], port);
  await until(async () => /cut off when the server ended/.test(await text(answers(page).first())), 60_000);
  await picture(page, 'interrupted');
  const kept = await text(answers(page).locator('.markdown').first());
  await page.getByRole('button', { name: 'Continue' }).click();
  await until(async () => !/cut off when the server ended/.test(await text(answers(page).first())));
  await stopIfRunning(page);
  assert.ok((await text(answers(page).locator('.markdown').first())).startsWith(kept.trimEnd()));
});

test('no serious accessibility fault', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'Hello again.');
  await answered(page);
  await page.evaluate(readFileSync(`${root}/web/node_modules/axe-core/axe.min.js`, 'utf8'));
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
    const report = await page.evaluate(() => globalThis.axe.run());
    const serious = report.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
    assert.deepEqual(
      serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`),
      [],
    );
  }
});

test('phone: the sidebar is a sheet, nothing scrolls sideways', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await send(page, 'Write a table with two columns and a Python example.');
  await answered(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false);
  await page.getByRole('button', { name: 'Show conversations' }).click();
  await page.getByRole('button', { name: 'New chat' }).waitFor();
  await picture(page, 'phone-sheet');
});
