import { test as base, expect } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { startKnowhow } from '../start-knowhow.ts';

/** The product as cloned: its own contents, no API key, no provider. */
const test = base.extend<{ chat: ChatPage }>({
  chat: async ({ page }, use) => {
    const knowhow = await startKnowhow();
    const chat = new ChatPage(page);
    await chat.open(knowhow.url);
    await use(chat);
    await knowhow.dispose();
  },
});

test('a first visitor is greeted, asks, and gets an answer with a skill card from the demo model', async ({
  chat,
}) => {
  await expect(chat.page.getByText('Type / for skills and prompts')).toBeVisible();
  await chat.send('Turn these meeting notes into decisions and actions: Anna will call the bank.');

  const card = chat.card('meeting-notes');
  await expect(card).toBeVisible();
  await card.click();
  await expect(card).toHaveAttribute('aria-expanded', 'true');
  await chat.waitUntilSettled();
  await expect(chat.page).toHaveURL(/\/c\/[0-9a-f-]{36}$/);
});

test('a starter prompt takes one click', async ({ chat }) => {
  await chat.page.getByRole('button', { name: /^Learn from an incident/ }).click();
  await expect(chat.card('incident-postmortem')).toBeVisible();
  await chat.waitUntilSettled();
});
