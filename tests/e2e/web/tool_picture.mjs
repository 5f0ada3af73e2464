// Takes the README's picture of a tool in use, docs/tools.png: a question, the call with its result, the answer, and the
// panel that the tool is switched on in. By hand, with the UI built and a model that calls well:
//   PARLEY_E2E_MODEL=NAME node tests/e2e/web/tool_picture.mjs [ADDRESS [FILE]]
// With ADDRESS the server that runs there is used, which has a tool `weather`; else one is started with the README's.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Browser, Server, answered, root, send, until, whyNot, whyNoBrowser } from './harness.mjs';

const [address, file = `${root}/docs/tools.png`] = process.argv.slice(2);
const question = 'What is the weather in Oslo?';
const patience = 600_000; // milliseconds; a model on a small machine takes its time

const readmesTool = {
  tools: {
    weather: {
      description: 'Current weather for a city',
      command: [`${root}/config/examples/weather.py`, '--city', '{city}'],
    },
  },
};

function startServer(folder) {
  const tools = path.join(folder, 'tools.json');
  writeFileSync(tools, JSON.stringify(readmesTool), { mode: 0o600 });
  return Server.start(['--tools', tools]);
}

async function askWithTool(page) {
  await page.getByRole('button', { name: /^Tools/ }).click();
  const weather = page.getByRole('switch', { name: 'weather', exact: true });
  await weather.waitFor();
  if (!(await weather.isChecked())) await weather.click();
  await send(page, question);
  const allow = page.locator('button:enabled', { hasText: 'Allow in this chat' });
  const ended = page.locator('article.answer[aria-busy=false]');
  await until(async () => (await allow.count()) + (await ended.count()) > 0, patience);
  if ((await allow.count()) > 0) await allow.click();
  await answered(page, 1, patience);
  if ((await page.locator('.card').count()) === 0) throw new Error('the model did not call the tool; try again, or another model');
  await page.locator('.card summary', { hasText: 'Result' }).first().click();
}

async function take(url) {
  const browser = await Browser.start();
  try {
    const page = await browser.open(url, { viewport: { width: 1280, height: 800 } });
    await askWithTool(page);
    await page.getByRole('log').evaluate((log) => (log.scrollTop = 0));
    await page.mouse.move(640, 790);
    await page.waitForTimeout(500); // transitions
    await page.screenshot({ path: file });
  } finally {
    await browser.end();
  }
}

const why = address ? whyNoBrowser() : whyNot();
if (why) {
  console.error(`no picture: ${why}`);
  process.exit(1);
}
const folder = mkdtempSync(path.join(tmpdir(), 'parley-picture-'));
const server = address ? null : await startServer(folder);
try {
  await take(address ?? server.url);
} finally {
  await server?.remove();
  rmSync(folder, { recursive: true });
}
console.log(`${file} taken`);
const shown = path.relative(root, file);
if (existsSync(`${root}/README.md`) && !readFileSync(`${root}/README.md`, 'utf8').includes(shown)) {
  console.log(`the README does not show it yet: ![A tool in use](${shown})`);
}
