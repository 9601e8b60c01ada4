import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { testWithContents } from '../knowhow-test.ts';
import { call, say } from '../provider-script.ts';
import { repositoryRoot } from '../start-knowhow.ts';

/** With a tool server in addition to the built-in tools, all available to everyone. */
const test = testWithContents(addTools);

async function addTools(contentsDir: string): Promise<void> {
  const server = join(
    repositoryRoot,
    'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  );
  const mcpServers = { samples: { command: process.execPath, args: [server], title: 'Samples' } };
  await writeFile(join(contentsDir, 'config/mcp.json'), JSON.stringify({ mcpServers }));
  await changeFile(join(contentsDir, 'apps/chat.json'), (app) => ({ ...app, tools: ['*'] }));
  await changeFile(join(contentsDir, 'config/groups.json'), (file) => {
    const { groups } = file as { groups: Record<string, { permissions: object }> };
    for (const group of Object.values(groups)) {
      group.permissions = { ...group.permissions, tools: ['*'] };
    }
    return file;
  });
}

async function changeFile(path: string, by: (json: object) => object): Promise<void> {
  await writeFile(path, JSON.stringify(by(JSON.parse(await readFile(path, 'utf8')))));
}

const echo = (message: string) => call({ name: 'samples__echo', input: { message } });

test('a call waits for consent, also after a reload and in another tab, and opens to show its result', async ({
  chat,
  page,
  context,
  provider,
  admin,
}) => {
  // The server's tools are known after the first connection.
  await expect
    .poll(async () => JSON.stringify(await admin.api('GET', 'tools')))
    .toContain('samples__echo');
  provider.plays(echo('herons'), echo('storks'), say('Both came back.'));
  await chat.open();
  await chat.send('Say herons and storks');
  const name = 'Run “Echo Tool” from Samples?';
  const card = page.getByRole('region', { name });
  await expect(card).toBeFocused();
  await expect(card.getByText('herons')).toBeVisible();
  expect(await findSeriousViolations(page)).toEqual([]);
  await page.reload();
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeVisible();

  const other = await context.newPage();
  await other.goto(page.url());
  const otherCard = other.getByRole('region', { name });
  await otherCard.getByRole('button', { name: 'Allow in this conversation' }).click();
  await expect(page.getByText('Both came back.')).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(otherCard).toHaveCount(0);
  await other.close();

  const lines = page.getByRole('button', { name: /^Echo Tool · Samples · / });
  await expect(lines).toHaveCount(2);
  await lines.last().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Arguments' })).toContainText('"message": "storks"');
  await expect(page.getByRole('group', { name: 'Result' })).toContainText('Echo: storks');
  expect(await findSeriousViolations(page)).toEqual([]);
});

test('a call that asks a question continues with the answer', async ({ chat, page, provider }) => {
  const choices = ['Tea', 'Coffee'];
  const input = { question: 'What shall it be?', choices };
  provider.plays(call({ name: 'ask_user', input }), say('Coffee it is.'));
  await chat.open();
  await chat.send('Order something');
  const card = page.getByRole('region', { name: /asks:$/ });
  await expect(card).toBeFocused();
  await card.getByRole('button', { name: 'Send' }).click();
  await expect(card.getByText('This field is required.')).toBeVisible();
  expect(await findSeriousViolations(page)).toEqual([]);
  await card.getByRole('radio', { name: 'Coffee' }).check();
  await card.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Coffee it is.')).toBeVisible();
  expect(provider.requests.at(-1)?.getText('tool')).toContain('The user answered: Coffee');
  await expect(chat.composer).toBeFocused();
});

test('an image from a tool call is shown, and can be saved', async ({ chat, page, provider }) => {
  provider.plays(call({ name: 'samples__get-tiny-image', input: {} }), say('There it is.'));
  await chat.open();
  await chat.send('Show me a picture');
  await page.getByRole('button', { name: 'Allow once' }).click();
  const picture = page.getByRole('img', { name: 'image-1.png' });
  await expect(picture).toHaveJSProperty('complete', true);
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
    0,
  );
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: /^image-1\.png · / }).click();
  expect((await saved).suggestedFilename()).toBe('image-1.png');
});

test('a call shows its progress, and ends when the answer is stopped', async ({
  chat,
  page,
  provider,
  admin: _,
}) => {
  const input = { duration: 60, steps: 600 };
  provider.plays(call({ name: 'samples__trigger-long-running-operation', input }), say('Never.'));
  await chat.open();
  await chat.send('Take your time');
  await page.getByRole('button', { name: 'Always allow' }).click();
  await expect(page.getByRole('button', { name: /^Trigger Long.*Samples · .*\d/ })).toBeVisible();
  await chat.button('Stop').click();
  await chat.waitUntilSettled();
  await expect(page.getByText('You stopped this answer.')).toBeVisible();

  await page.getByRole('button', { name: /: menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Always allowed tools' }).click();
  const dialog = page.getByRole('dialog', { name: 'Always allowed tools' });
  await dialog.getByRole('button', { name: /^Ask again before Trigger Long/ }).click();
  await expect(dialog.getByText(/Choose “Always allow”/)).toBeVisible();
});

test('an admin sees a source with its tools, and tries one', async ({ admin, page }) => {
  await admin.open('tools');
  const sources = page.getByRole('table', { name: 'Sources' });
  await sources.getByRole('button', { name: 'Samples' }).click();
  await admin.link('Get Sum Tool').click();
  await page.getByRole('textbox', { name: /^a/ }).fill('2');
  await page.getByRole('textbox', { name: /^b/ }).fill('3');
  await admin.button('Run').click();
  await expect(page.getByText(/^Succeeded in /)).toBeVisible();
  await expect(page.getByRole('group', { name: 'Result' })).toContainText('5');
});
