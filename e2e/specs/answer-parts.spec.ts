import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { lookRarely } from '../look-rarely.ts';
import { dump } from '../provider-script.ts';

const diagram = '```mermaid\ngraph LR\n  A[Begin] --> B{Good?}\n  B --> C[End]\n```';
const wrong = '```mermaid\ngraph LR\n  A --> --> B\n```';
// Its own settings are ignored; so are scripts and handlers.
const hostile =
  '```mermaid\n%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\ngraph LR\n' +
  '  A["<img src=x onerror=parent.postMessage(1)>"] --> B\n  click A "javascript:alert(1)"\n```';
const svg =
  '```svg\n<svg viewBox="0 0 60 30" width="60" height="30"><rect width="60" height="30" fill="teal"/></svg>\n```';

test('formulas, diagrams and images are rendered without requests to other hosts', async ({
  chat,
  page,
  provider,
}) => {
  test.setTimeout(60_000);
  const foreign: string[] = [];
  const refused: string[] = [];
  page.on('request', (request) => {
    const { protocol, hostname, href } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') {
      foreign.push(href);
    }
  });
  page.on('console', (message) => refused.push(message.text()));
  provider.plays(
    dump(
      `So $E = mc^2$, and $5.\n\n$$\n\\sqrt{x}\n$$\n\n${diagram}\n\n${wrong}\n\n${hostile}\n\n${svg}\n\n` +
        '![chart](https://example.org/x.png)\n',
    ),
  );
  await chat.open();
  await chat.send('Draw.');
  await chat.waitUntilSettled();

  // Styled by its own style sheet: the part for screen readers takes no space.
  await expect(chat.log.locator('math').first()).toBeAttached();
  await expect(chat.log.locator('.katex-mathml').first()).toHaveCSS('position', 'absolute');
  await expect(chat.log.getByText('and $5.')).toBeVisible();

  const drawn = chat.log.getByRole('img', { name: 'Diagram' });
  await lookRarely(() => expect(drawn).toHaveCount(2, { timeout: 1 }));
  for (const picture of [...(await drawn.all()), chat.log.getByRole('img', { name: 'Picture' })]) {
    await picture.scrollIntoViewIfNeeded();
    const width = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(width).toBeGreaterThan(50);
    expect(await picture.getAttribute('src')).not.toMatch(
      /%3Cscript|onerror|foreignObject|javascript/i,
    );
  }
  await expect(chat.log.getByText(/cannot be rendered: Parse error/)).toBeVisible();
  await expect(chat.log.getByRole('link', { name: 'chart (example.org)' })).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
  expect(foreign).toEqual([]);
  expect(refused.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
});

test('an answer is copied as Markdown and as formatted text, a table as CSV', async ({
  chat,
  context,
  page,
  provider,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = (type: string) =>
    page.evaluate(async (wanted) => {
      const [item] = await navigator.clipboard.read();
      return item?.types.includes(wanted) ? (await item.getType(wanted)).text() : '';
    }, type);
  const table = '| a | b |\n|---|---|\n| 1, 2 | $x^2$ |';
  provider.plays(dump(table));
  await chat.open();
  await chat.send('A table.');
  await chat.waitUntilSettled();
  const answer = chat.log.getByRole('article', { name: 'Answer' });
  await expect(answer.locator('.katex')).toBeVisible();
  await answer.hover();
  await answer.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(() => clipboard('text/html')).toContain('<table border="1"');
  expect(await clipboard('text/plain')).toBe(table);
  await answer.getByRole('button', { name: 'Copy as CSV' }).click();
  await expect.poll(() => clipboard('text/plain')).toBe('a,b\r\n"1, 2",x^2');
});

test('a diagram that never finishes rendering does not block typing', async ({
  chat,
  page,
  provider,
}) => {
  // Too large to be drawn within the limit, but small enough to be started.
  await page.route('**/diagram-frame.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
      body: 'addEventListener("message", () => { for (;;); }); parent.postMessage({ type: "ready" }, "*");',
    }),
  );
  provider.plays(dump(diagram));
  await chat.open();
  await chat.send('Draw.');
  await chat.waitUntilSettled();
  await expect(page.locator('iframe')).toHaveCount(1);
  await chat.composer.pressSequentially('Still here');
  await expect(chat.composer).toHaveValue('Still here');
  await expect(chat.log.getByText(/cannot be rendered: rendering takes too long/)).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.locator('iframe')).toHaveCount(0);
});
