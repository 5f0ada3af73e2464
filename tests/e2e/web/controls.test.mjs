// Menus, panels and states that a person has to get out of again: the real page, an echoing model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, answered, picture, send, stage, until, whyNotEcho } from './harness.mjs';

const skip = whyNotEcho();
const shared = stage(skip, () => Server.startEcho());

async function chat(text) {
  const page = await shared.browser.open(shared.server.url);
  await send(page, text);
  await answered(page);
  return page;
}
const openSettings = async (page) => {
  await page.getByRole('button', { name: 'Chat settings' }).click();
  return page.getByLabel(/System prompt/);
};

test('closing the settings by a key keeps what was written', { skip }, async () => {
  const page = await chat('Settings.');
  const field = await openSettings(page);
  await field.fill('Be brief.');
  await field.press('Escape');
  await until(async () => (await field.count()) === 0);
  await page.waitForTimeout(300);
  await page.reload();
  await page.getByRole('heading', { name: 'Settings.' }).waitFor();
  assert.equal(await (await openSettings(page)).inputValue(), 'Be brief.');
});

test('leaving the chat by a key keeps its settings', { skip }, async () => {
  const page = await chat('Leaving.');
  const field = await openSettings(page);
  await field.fill('Be kind.');
  await field.press('Control+Shift+O');
  await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  await page.getByRole('link', { name: 'Leaving.' }).click();
  await until(async () => (await page.getByLabel(/System prompt/).inputValue()) === 'Be kind.');
});

test('the settings take the keyboard and give it back', { skip }, async () => {
  const page = await chat('Keyboard.');
  const button = page.getByRole('button', { name: 'Chat settings' });
  await button.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Chat settings' });
  await until(() => panel.evaluate((element) => element.contains(document.activeElement)));
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('Escape');
  await until(() => button.evaluate((element) => element === document.activeElement));
});

test("a conversation's menu closes by Escape and gives the keyboard back", { skip }, async () => {
  const page = await chat('Menu.');
  const button = page.getByRole('button', { name: 'Options for Menu.' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Rename', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await until(async () => (await page.getByRole('button', { name: 'Rename', exact: true }).count()) === 0);
  assert.ok(await button.evaluate((element) => element === document.activeElement));
});

test('renaming gives the keyboard back', { skip }, async () => {
  const page = await chat('Rename me.');
  await page.getByRole('button', { name: 'Options for Rename me.' }).click();
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.keyboard.type('Renamed');
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name: /Renamed/ });
  await link.waitFor();
  assert.ok(await link.evaluate((element) => element === document.activeElement));
});

test('deleting by the keyboard goes on with the next row, and is undone without reaching for the notice', { skip }, async () => {
  const page = await chat('Row one.');
  for (const text of ['Row two.', 'Row three.']) {
    await page.getByRole('button', { name: 'New chat' }).click();
    await send(page, text);
    await answered(page);
  }
  for (const gone of ['Row two.', 'Row one.']) {
    await page.getByRole('button', { name: `Options for ${gone}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await until(async () => (await page.getByRole('link', { name: gone }).count()) === 0);
    await until(() => page.evaluate(() => document.activeElement?.closest('nav a') !== null));
  }
  await page.getByText('2 deleted.').waitFor();
  await page.keyboard.press('Control+z');
  for (const back of ['Row one.', 'Row two.']) await page.getByRole('link', { name: back }).waitFor();
  assert.equal(await page.getByText('2 deleted.').count(), 0);
});

test('a chat that another tab deletes stays in sight with what was written', { skip }, async () => {
  const page = await chat('Shared.');
  const other = await shared.browser.tab(page.context(), page.url());
  await page.getByLabel('Message Parley').fill('Half a thought');
  await other.getByRole('button', { name: 'Options for Shared.' }).click();
  await other.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This conversation was deleted.').waitFor();
  assert.equal(await page.getByLabel('Message Parley').inputValue(), 'Half a thought');
  await other.getByRole('button', { name: 'Undo' }).click();
  await until(() => page.getByRole('button', { name: 'Send' }).isEnabled());
  await other.getByRole('heading', { name: 'Shared.' }).waitFor();
});

test('a deleted conversation that is opened by its address can be restored', { skip }, async () => {
  const page = await chat('Gone.');
  const address = page.url();
  await page.getByRole('button', { name: 'Options for Gone.' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted.').waitFor();
  await page.goto(address);
  await page.getByText('This conversation was deleted.').waitFor();
  await picture(page, 'deleted');
  await page.getByLabel('Message Parley').fill('Hello?');
  assert.equal(await page.getByRole('button', { name: 'Send' }).isEnabled(), false);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('link', { name: 'Gone.' }).waitFor();
  assert.equal(await page.getByText('This conversation was deleted.').count(), 0);
  await until(() => page.getByRole('button', { name: 'Send' }).isEnabled());
});

test('what was written in the settings never goes to another chat', { skip }, async () => {
  const page = await chat('First.');
  await page.getByRole('button', { name: 'New chat' }).click();
  await send(page, 'Second.');
  await answered(page);
  const field = await openSettings(page);
  await field.fill('For the second.');
  await page.evaluate(() => history.go(-2)); // the first chat; the field keeps the keyboard until it is gone
  await page.getByRole('heading', { name: 'First.' }).waitFor();
  await page.waitForTimeout(300);
  await page.reload();
  await page.getByRole('heading', { name: 'First.' }).waitFor();
  assert.equal(await (await openSettings(page)).inputValue(), '');
  await page.getByRole('link', { name: 'Second.' }).click();
  await until(async () => (await page.getByLabel(/System prompt/).inputValue()) === 'For the second.');
});
