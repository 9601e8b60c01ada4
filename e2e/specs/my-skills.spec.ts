import { expect } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';

test('a skill of my own is written, tried, proposed and deleted', async ({
  admin,
  chat,
  page,
  provider,
}) => {
  provider.plays(say('Billed.'));
  await page.goto('/skills');
  await page.getByRole('link', { name: 'My skills' }).click();
  await expect(page.getByText('No skills of your own yet')).toBeVisible();
  await page.getByRole('link', { name: 'New skill' }).click();
  await expect(page.getByRole('heading', { name: 'New skill' })).toBeVisible();
  await page.getByLabel('Name').pressSequentially('Client invoices');
  await expect(page.getByLabel('Name')).toHaveValue('client-invoices');
  await page.getByLabel('Description').fill('Bills clients. Use it for invoices.');
  await page.getByLabel('Instructions').fill('Name the client first.');
  await page.getByRole('button', { name: 'Save and try' }).click();

  await expect(chat.chip('client-invoices@admin')).toBeVisible();
  await chat.send('Bill Bob');
  await expect(chat.card('client-invoices@admin')).toBeVisible();
  await chat.waitUntilSettled();
  expect(JSON.stringify(provider.requests)).toContain('Name the client first.');
  await chat.composer.pressSequentially('/client');
  await expect(chat.option('client-invoices@admin')).toContainText('Yours');

  await page.goto('/skills?query=client-invoices');
  await page.getByRole('link', { name: 'client-invoices' }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Instructions').fill('Name the client first, then the hours.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();

  await page.getByRole('button', { name: 'Propose…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Propose “client-invoices”' });
  await dialog.getByLabel('What is it good for?').fill('Everyone bills.');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await expect(page.getByText('Waiting for a review')).toBeVisible();
  await admin.open('reviews');
  await page.getByRole('link', { name: /client-invoices/ }).click();
  await expect(page.getByText('Everyone bills.')).toBeVisible();
  await page.goto('/my/skills/client-invoices');
  await page.getByRole('button', { name: 'Withdraw the proposal' }).click();
  await expect(page.getByText('Withdrawn')).toBeVisible();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No skills of your own yet')).toBeVisible();
});

test('a conversation becomes a skill that is tried after six clicks', async ({
  admin,
  chat,
  page,
  provider,
}) => {
  const skill = {
    name: 'client letters',
    description: 'Writes letters to clients.',
    instructions: 'Greet Eva Kurz first. Write to eva@example.com.',
    prompts: ['Write a letter to a client'],
    names: ['Eva Kurz'],
  };
  provider.plays(say('Dear Eva, …'), say(JSON.stringify(skill)), say('Dear client, …'));
  await admin.page.goto('/');
  await chat.send('Write a letter to Eva Kurz');
  await expect(chat.log.getByText('Dear Eva, …')).toBeVisible();
  await chat.waitUntilSettled();
  const row = chat.conversations.getByRole('listitem').first();
  await row.hover();
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Turn into a skill' }).click();

  const check = page.getByRole('region', { name: 'Check before you save' });
  await expect(check.getByText('eva@example.com')).toBeVisible();
  await check.getByRole('button', { name: 'Replace all' }).click();
  await expect(check).toHaveCount(0);
  await expect(page.getByLabel('Instructions')).toHaveValue(
    'Greet [name] first. Write to [e-mail address].',
  );
  await page.getByRole('button', { name: 'Save and try' }).click();
  await expect(chat.chip('client-letters@admin')).toBeVisible();
  await chat.send('Write to Bob');
  await expect(chat.card('client-letters@admin')).toBeVisible();

  await page.goto('/skills/client-letters@admin');
  await expect(page.getByRole('button', { name: 'Write a letter to a client' })).toBeVisible();
});

test('leaving a skill with unsaved words asks first', async ({ admin, page }) => {
  await admin.page.goto('/my/skills/new');
  await page.getByLabel('Description').fill('Bills clients.');
  await page.getByRole('link', { name: 'My skills' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Bills clients.');
});

test('a skill of mine is shared with a colleague, who uses it until I stop', async ({
  admin,
  browser,
  knowhow,
  page,
  provider,
}) => {
  test.setTimeout(120_000);
  const password = 'four quiet otters';
  const user = { username: 'tessa', name: 'Tessa', groups: ['users'], password };
  await admin.api('POST', 'users', user);
  await admin.page.goto('/my/skills/new');
  await page.getByLabel('Name').fill('tea-orders');
  await page.getByLabel('Description').fill('Orders tea.');
  await page.getByLabel('Instructions').fill('Order assam first.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  const dialog = page.getByRole('dialog', { name: 'Share “tea-orders”' });
  const field = dialog.getByRole('combobox', { name: 'Users and groups' });
  await page.getByRole('button', { name: 'Share…' }).click();
  await expect(field).toBeFocused();
  await field.fill('Tess');
  await page.getByRole('option', { name: 'Tessa' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await findSeriousViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findSeriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Shared with 1 user or group')).toBeVisible();

  const context = await browser.newContext({ baseURL: knowhow.url, locale: 'en-GB' });
  const tessa = new ChatPage(await context.newPage());
  await tessa.page.goto('/login');
  await tessa.signIn(user.username, password);
  await expect(tessa.page.getByRole('button', { name: /: menu$/ })).toBeVisible();
  await tessa.page.goto('/my/skills');
  const received = tessa.page.getByRole('region', { name: 'Shared with me' });
  await expect(received.getByText('Shared by Admin')).toBeVisible();
  await received.getByRole('link', { name: 'tea-orders' }).click();
  await expect(tessa.page.getByText('Order assam first.')).toBeHidden();
  await tessa.page.getByText('Instructions').click();
  await expect(tessa.page.getByText('Order assam first.')).toBeVisible();
  await expect(tessa.page.getByText('Shared by Admin')).toBeVisible();
  await expect(tessa.page.getByRole('link', { name: 'Edit' })).toHaveCount(0);
  provider.plays(say('Ordered.'));
  await tessa.open();
  await tessa.composer.pressSequentially('/tea-orders');
  await expect(tessa.option('tea-orders@admin')).toContainText('Admin');
  await tessa.page.keyboard.press('Enter');
  await tessa.send('Now');
  await expect(tessa.card('tea-orders@admin')).toBeVisible();
  await tessa.waitUntilSettled();

  await page.getByRole('button', { name: 'Share…' }).click();
  await expect(dialog.getByText('Tessa')).toBeVisible();
  await field.focus();
  await page.keyboard.press('Backspace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Shared with 1 user or group')).toHaveCount(0);
  await tessa.page.goto('/skills/tea-orders@admin');
  await expect(tessa.page.getByText('Skill "tea-orders@admin" is not available.')).toBeVisible();
  await context.close();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'My skills', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'tea-orders' })).toHaveCount(0);
});
