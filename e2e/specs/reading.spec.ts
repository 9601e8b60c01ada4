import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { lookRarely } from '../look-rarely.ts';
import { dump, pause, say } from '../provider-script.ts';

const paragraphs = (about: string) =>
  Array.from({ length: 40 }, (_, index) => `${about}, paragraph ${index + 1}.`).join('\n\n');

test('a reader who scrolls up during an answer stays there, and can jump to the end again', async ({
  chat,
  page,
  provider,
}) => {
  let goOn = () => {};
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  provider.plays([say(`${paragraphs('Part one')}\n\n`), pause(going), say(paragraphs('Two'))]);
  await chat.open();
  await chat.send('Write a lot.');
  const read = chat.log.getByText('Part one, paragraph 20.');
  await expect(chat.log.getByText('Part one, paragraph 40.')).toBeInViewport();
  await read.hover();
  await page.mouse.wheel(0, -200);
  await expect(chat.button('Jump to latest')).toBeVisible();
  // Hovering waits until the text stops moving.
  await read.hover();
  const before = await read.boundingBox();

  goOn();
  await expect(chat.log.getByText('Two, paragraph 40.')).toBeAttached();
  await chat.waitUntilSettled();
  expect(await read.boundingBox()).toEqual(before);

  await chat.button('Jump to latest').click();
  await expect(chat.log.getByText('Two, paragraph 40.')).toBeInViewport();
  await expect(chat.button('Jump to latest')).toBeHidden();
});

test('a message with a skill shows its answer to the end, whatever appears above the composer', async ({
  chat,
  provider,
}) => {
  provider.plays(say(paragraphs('One')), say(paragraphs('Two')));
  await chat.open();
  await chat.send('Write a lot.');
  await chat.waitUntilSettled();
  await chat.send('/tea-brewing And more.');
  await chat.waitUntilSettled();
  await expect(chat.log.getByText('Two, paragraph 40.')).toBeInViewport();
  await expect(chat.button('Jump to latest')).toBeHidden();

  // The next question is at the top, with space for its answer below.
  provider.plays(say('Three.'));
  await chat.send('One word only.');
  await chat.waitUntilSettled();
  const top = async (text: string) => (await chat.log.getByText(text).boundingBox())?.y;
  expect(await top('One word only.')).toBeLessThan(140);
  await expect(chat.log.getByText('Two, paragraph 40.')).not.toBeInViewport();
  await expect(chat.log.getByText('Three.')).toBeInViewport();
  await expect(chat.button('Jump to latest')).toBeHidden();
  const actions = chat.log
    .getByRole('article', { name: 'Answer' })
    .getByRole('button', { name: 'Good answer' });
  await expect(actions.nth(1)).toHaveCSS('opacity', '1');
});

test('code can be copied; tables and highlighted code are rendered', async ({
  chat,
  context,
  page,
  provider,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = 'const answer = 42;';
  provider.plays(say(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |`));
  await chat.open();
  await chat.send('Show me code.');
  await expect(chat.log.getByRole('table').getByRole('cell', { name: '2' })).toBeVisible();
  await chat.waitUntilSettled();

  await chat.log
    .getByRole('article', { name: 'Answer' })
    .getByRole('button', { name: 'Copy' })
    .first()
    .click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(async () => (await copied()).trim()).toBe(code);
});

test('a long answer is formatted to its end, and so is a table of 300 rows', async ({
  chat,
  page,
  provider,
}) => {
  test.setTimeout(60_000);
  const parts = Array.from(
    { length: 400 },
    (_, n) => `## Part ${n}\n\nSome *text* of it.\n\n- one`,
  );
  const rows = '| Heron | **2** legs | `tall` |\n'.repeat(300);
  provider.plays(dump(`${parts.join('\n\n')}\n\n| Bird | Legs | Height |\n|---|---|---|\n${rows}`));
  await chat.open();
  await chat.send('Write it all.');
  await chat.waitUntilSettled();
  await page.reload();
  await lookRarely(() => expect(chat.log.getByRole('row')).toHaveCount(301, { timeout: 1 }));
  const headings = chat.log.getByRole('heading', { name: /^Part/ });
  await lookRarely(() => expect(headings).toHaveCount(400, { timeout: 1 }));
  await expect(chat.log.getByText('Shown as plain text')).toHaveCount(0);
});
