import { expect } from '@playwright/test';
import type { ChatPage } from '../chat-page.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';

test('a reload shows the same conversation', async ({ chat, provider }) => {
  provider.plays(say('# Herons\n\nThey *stand* still.'));
  await chat.open();
  await chat.send('/tea-brewing What is a heron?');
  await expect(chat.log.getByRole('heading', { name: 'Herons' })).toBeVisible();
  await chat.waitUntilSettled();
  await chat.page.reload();

  await expect(chat.log.getByText('What is a heron?')).toBeVisible();
  await expect(chat.log.getByRole('heading', { name: 'Herons' })).toBeVisible();
  await expect(chat.card('tea-brewing')).toBeVisible();
  expect(provider.requests).toHaveLength(1);
});

test("another user's conversation is not found", async ({ chat, provider, browser, baseURL }) => {
  provider.plays(say('Between us.'));
  await chat.open();
  await chat.send('A secret.');
  await expect(chat.log.getByText('Between us.')).toBeVisible();
  await chat.waitUntilSettled();

  const stranger = await browser.newContext({ baseURL });
  const page = await stranger.newPage();
  await page.goto(chat.page.url());
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByText('Between us.')).toBeHidden();
  await stranger.close();
});

test('conversations are searched, renamed, deleted, and restored', async ({ page, chat }) => {
  await chat.open();
  await talkAbout(chat, 'Herons of the north');
  await talkAbout(chat, 'Bread with seeds');
  const item = (title: string) => chat.conversations.getByRole('link', { name: title });
  await expect(item('Herons of the north')).toBeVisible();

  const search = page.getByRole('searchbox', { name: 'Search conversations' });
  await search.fill('bread');
  await expect(item('Herons of the north')).toBeHidden();
  await expect(item('Bread with seeds')).toBeVisible();
  await search.fill('');

  await menuOf(chat, 'Bread with seeds', 'Rename');
  const title = page.getByRole('textbox', { name: 'New title' });
  await title.fill('Rye');
  await title.press('Enter');
  await expect(item('Rye')).toBeVisible();

  await menuOf(chat, 'Herons of the north', 'Delete');
  await expect(item('Herons of the north')).toBeHidden();
  await chat.button('Undo').click();
  await expect(item('Herons of the north')).toBeVisible();
  await page.reload();
  await expect(item('Herons of the north')).toBeVisible();
  await expect(item('Rye')).toBeVisible();
});

test('a search shows matching messages and links to them', async ({ page, chat, provider }) => {
  const long = 'Nothing of that kind.\n\n'.repeat(80);
  provider.plays(say(`${long}The **heron** stood in the reeds.`), say(long));
  await chat.open();
  await chat.send('What about the birds?');
  await chat.waitUntilSettled();
  await chat.send('And then?');
  await chat.waitUntilSettled();
  await chat.button('New conversation').click();

  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('reeds heron');
  const found = chat.conversations.getByRole('link', { name: 'What about the birds?' });
  await expect(found.locator('mark')).toHaveText(['heron', 'reeds']);
  await found.click();
  const words = chat.log.getByText('stood in the reeds');
  await expect(words).toBeInViewport();
  await expect(chat.log.getByRole('article').nth(1)).toBeFocused();
  // A reader who has scrolled away can jump back.
  await chat.button('Jump to latest').click();
  await expect(words).not.toBeInViewport();
  await found.click();
  await expect(words).toBeInViewport();
});

test('a temporary chat is labelled, asks before leaving, and is then gone', async ({
  page,
  chat,
  provider,
}) => {
  provider.plays(say('Between us.'));
  await chat.open();
  await chat.button('Temporary chat').click();
  await expect(page.getByRole('note')).toContainText('nothing is stored');
  await expect(chat.composer).toBeFocused();
  await chat.send('A secret.');
  await expect(chat.log.getByText('Between us.')).toBeVisible();
  await chat.waitUntilSettled();
  await expect(page.getByRole('note')).toBeVisible();
  const address = page.url();

  await chat.button('New conversation').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(chat.log.getByText('Between us.')).toBeVisible();
  await expect(chat.conversations.getByRole('link')).toHaveCount(0);
  await chat.button('New conversation').click();
  const gone = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await chat.button('Leave').click();
  await gone;
  await expect(page.getByRole('note')).toBeHidden();
  await chat.page.goto(address);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('conversations are moved into a folder by menu, in bulk and by dragging, and survive its deletion', async ({
  page,
  chat,
}) => {
  await chat.open();
  for (const subject of ['Herons', 'Egrets', 'Bread']) {
    await talkAbout(chat, subject);
  }
  const item = (title: string) => chat.conversations.getByRole('link', { name: title });
  const folder = (name: string) =>
    chat.conversations.getByRole('button', { name: new RegExp(`^${name} `) });
  const inside = (name: string) => page.getByRole('list', { name }).getByRole('link');
  await item('Herons').hover();
  await menuOf(chat, 'Herons', 'Move to folder');
  await page.getByRole('textbox', { name: 'New folder' }).fill('Birds');
  await page.keyboard.press('Enter');
  await expect(item('Herons')).toBeHidden();
  await folder('Birds').press('Enter');
  await expect(inside('Birds')).toHaveText(['Herons']);
  await item('Egrets').dragTo(folder('Birds'));
  await expect(inside('Birds')).toHaveCount(2);
  await menuOf(chat, 'Bread', 'Select');
  await page.getByRole('checkbox', { name: 'Select “Herons”' }).check();
  await chat.button('Move to folder').click();
  await page.getByRole('textbox', { name: 'New folder' }).fill('Food');
  await chat.button('Create and move').click();
  await expect(inside('Birds')).toHaveText(['Egrets']);
  await page.reload();
  await expect(inside('Birds')).toHaveText(['Egrets']);

  await folder('Food').press('Enter');
  await expect(inside('Food')).toHaveCount(2);
  await chat.button('Actions for the folder “Food”').click();
  await page.getByRole('menuitem', { name: 'Rename folder' }).click();
  await page.getByRole('textbox', { name: 'New folder name' }).fill('Meals');
  await page.keyboard.press('Enter');
  await expect(folder('Meals')).toHaveText('Meals2');
  await expect(inside('Meals')).toHaveCount(2);
  await chat.button('Actions for the folder “Meals”').click();
  await page.getByRole('menuitem', { name: 'Delete folder' }).click();
  await expect(page.getByRole('dialog')).toContainText('The 2 conversations in it are not deleted');
  await chat.button('Delete folder').click();
  await expect(folder('Meals')).toBeHidden();
  await expect(item('Herons')).toBeVisible();
  await expect(item('Bread')).toBeVisible();
  await menuOf(chat, 'Bread', 'Select');
  await page.getByRole('checkbox', { name: 'Select “Herons”' }).check();
  await chat.conversations.getByText('Bread').dragTo(folder('Birds'));
  await expect(inside('Birds')).toHaveCount(3);
});

async function talkAbout(chat: ChatPage, subject: string): Promise<void> {
  await chat.button('New conversation').click();
  await chat.send(subject);
  await expect(chat.log.getByText('Nothing was scripted.')).toBeVisible();
  await chat.waitUntilSettled();
}

async function menuOf(chat: ChatPage, title: string, action: string): Promise<void> {
  await chat.button(`Actions for “${title}”`).click();
  await chat.page.getByRole('menuitem', { name: action }).click();
}
