import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';

test('a skill found with Ctrl K is selected for a new conversation', async ({ chat, provider }) => {
  provider.plays(say('Warm the pot first.'));
  await chat.open();
  await chat.page.keyboard.press('Control+k');
  const search = chat.page.getByRole('combobox', { name: 'Search everything' });
  await search.fill('tea-brew');
  const section = chat.page.getByRole('group', { name: 'Use a skill' });
  const option = section.getByRole('option', { name: 'tea-brewing' });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await chat.page.keyboard.press('Enter');
  await expect(chat.chip('tea-brewing')).toBeVisible();
  await chat.send('assam');
  await expect(chat.card('tea-brewing')).toBeVisible();
});

test('an admin tries a skill in a chat that offers it', async ({ admin, chat, page }) => {
  await admin.open('skills/tea-brewing');
  await page.getByRole('link', { name: 'Try in chat' }).click();
  await expect(chat.chip('tea-brewing')).toBeVisible();
  await expect(chat.composer).toBeFocused();
});

test('a skill that no app offers says so', async ({ chat }) => {
  await chat.page.goto('/use/no-such-skill');
  await expect(chat.page.getByText('none of your apps offers it', { exact: false })).toBeVisible();
});

test('every word of a conversation is printed', async ({ chat, provider }) => {
  provider.plays(say(`First. ${'Many more lines.\n\n'.repeat(60)}Last.`));
  await chat.open();
  await chat.send(`Begin. ${'A line.\n'.repeat(200)}End.`);
  await expect(chat.log.getByText('Last.')).toBeVisible();
  await chat.waitUntilSettled();
  await chat.page.emulateMedia({ media: 'print' });
  await expect(chat.composer).toBeHidden();
  await expect(chat.log.getByText('End.')).toBeVisible();
  const hidden = await chat.log.evaluate(
    (log) => (log.parentElement?.scrollHeight ?? 0) - (log.parentElement?.clientHeight ?? 0),
  );
  expect(hidden).toBe(0);
});

test("the last answer's actions are visible, those of earlier ones on hover", async ({
  chat,
  provider,
}) => {
  provider.plays(say('One.'), say('Two.'));
  await chat.open();
  await chat.send('First?');
  await expect(chat.log.getByText('One.')).toBeVisible();
  await chat.waitUntilSettled();
  await chat.send('Second?');
  await expect(chat.log.getByText('Two.')).toBeVisible();
  await chat.waitUntilSettled();
  await chat.composer.hover();
  const answers = chat.log.getByRole('article', { name: 'Answer' });
  const opacity = (index: number) =>
    answers
      .nth(index)
      .getByRole('button', { name: 'Copy', exact: true })
      .evaluate((button) => getComputedStyle(button.parentElement as Element).opacity);
  await expect.poll(() => opacity(1)).toBe('1');
  await expect.poll(() => opacity(0)).toBe('0');
});
