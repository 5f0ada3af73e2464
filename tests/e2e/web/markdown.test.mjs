// What answers look like, and what they must not do: the real page, a model that says what the test tells it to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, answered, answers, picture, send, stage, until, whyNotEcho } from './harness.mjs';

const skip = whyNotEcho();
const shared = stage(skip, () => Server.startEcho());

async function show(markdown, options = {}) {
  const page = await shared.browser.open(shared.server.url, options);
  await send(page, `!verbatim ${markdown}`);
  await answered(page);
  return { page, answer: answers(page).locator('.markdown') };
}

test('code is coloured, named and copied as it was written', { skip }, async () => {
  const code = 'def area(r: float) -> float:\n    """<b>Not HTML</b>"""\n    return 3.14159 * r ** 2  # π';
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, answer } = await show('Here it is:\n\n```python\n' + code + '\n```\n\nThat is `area`.', context);
  await answer.locator('pre .hl-keyword').first().waitFor();
  assert.equal(await answer.locator('.code-bar span').first().textContent(), 'python');
  assert.equal((await answer.locator('pre code').textContent()).trimEnd(), code);
  await answer.getByRole('button', { name: 'Copy code' }).click();
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).trimEnd() === code);
  await picture(page, 'code');
  assert.deepEqual(page.problems, []);
});

test('tables, lists, quotes and headings become elements', { skip }, async () => {
  const { page, answer } = await show(
    '# Rivers\n\n1. Rhine\n2. Elbe\n   - Vltava\n\n> Quoted\n\n| a | b |\n|---|---:|\n| 1 | 2 |\n\n**bold** *leaning* ~~gone~~ [a link](https://example.org/x)',
  );
  for (const [selector, count] of Object.entries({ h1: 1, 'ol > li': 2, 'ul > li': 1, blockquote: 1, td: 2, strong: 1, em: 1 })) {
    assert.equal(await answer.locator(selector).count(), count, selector);
  }
  const link = answer.getByRole('link', { name: 'a link' });
  assert.equal(await link.getAttribute('href'), 'https://example.org/x');
  assert.match(await link.getAttribute('rel'), /noopener/);
  await picture(page, 'markdown');
  assert.deepEqual(page.problems, []);
});

test('an answer is text: no script runs, nothing is fetched, no form, no style', { skip }, async () => {
  const hostile = [
    '<script>window.owned = 1</script>',
    '<img src=x onerror="window.owned = 2">',
    '![tracker](https://example.org/pixel.png?secret)',
    '[click](javascript:window.owned=3) [data](data:text/html,<script>1</script>) [split](java\nscript:alert(1))',
    '<iframe src="https://example.org"></iframe><form action="https://example.org"><input name=a></form>',
    '<style>body{display:none}</style><svg onload="window.owned=4"></svg>',
    '[x]: javascript:window.owned=5\n[ref][x]',
    '```"><img src=x onerror=window.owned=6>\ncode\n```',
    '<a href="vbscript:x" onclick="window.owned=7">a</a> &lt;script&gt;window.owned=8&lt;/script&gt;',
    '| <img src=x onerror=window.owned=9> |\n|---|\n| `<b>` |',
  ].join('\n\n');
  const { page, answer } = await show(hostile);
  for (const selector of ['script', 'img', 'iframe', 'form', 'input', 'style', 'svg:not(.code-button svg)', '[onerror]', '[onclick]']) {
    assert.equal(await answer.locator(selector).count(), 0, selector);
  }
  const addresses = await answer.locator('a').evaluateAll((links) => links.map((link) => link.href));
  assert.deepEqual(addresses.filter((address) => !/^(https?|mailto):/.test(address)), []);
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.match(await answer.textContent(), /<script>window\.owned = 1<\/script>/, 'what was written is shown');
  await picture(page, 'hostile');
  assert.deepEqual(page.problems, []);
});

test('a streamed answer looks as the same answer loaded later', { skip }, async () => {
  const markdown = 'Start\n\n- one\n- two\n\n```js\nlet a = 1;\n```\n\nA *half\n\n|x|y|\n|-|-|\n|1|2|\n\nEnd 🙂 **b**';
  const { page, answer } = await show(markdown);
  await answer.locator('pre .hl-keyword').first().waitFor();
  const streamed = await answer.innerHTML();
  await page.reload();
  await answers(page).locator('pre .hl-keyword').first().waitFor();
  assert.equal(await answers(page).locator('.markdown').innerHTML(), streamed);
});

test('a very long line, deep nesting and right-to-left text keep the page whole', { skip }, async () => {
  const { page, answer } = await show(`${'x'.repeat(20_000)}\n\n${'> '.repeat(200)}deep\n\nשלום עולם\n\n\`\`\`\n${'y'.repeat(5000)}\n\`\`\``);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
  assert.match(await answer.textContent(), /שלום/);
  assert.deepEqual(page.problems, []);
});

test('a failed answer says why and can be asked for again; the page goes on', { skip }, async () => {
  const page = await shared.browser.open(shared.server.url);
  await send(page, 'one two !fail');
  await answered(page);
  assert.match(await answers(page).textContent(), /The model failed on purpose/);
  await picture(page, 'failed');
  await page.getByRole('button', { name: /Answer again|Try again/ }).first().click();
  await answered(page);
  await send(page, 'still there');
  await answered(page, 2);
  assert.match(await answers(page).nth(1).locator('.markdown').textContent(), /still there/);
});
