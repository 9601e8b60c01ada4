import { expect, type Locator } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { activate, say } from '../provider-script.ts';

test('a conversation works with the keyboard only', async ({ chat, page, provider }) => {
  provider.plays(activate('tea-brewing'), say('Which tea would you like?'), say('Four minutes.'));
  await chat.open();
  await tabTo(chat.composer);
  await page.keyboard.type('I want to make tea.');
  await page.keyboard.press('Enter');
  await expect(chat.log.getByText('Which tea would you like?')).toBeVisible();
  await chat.waitUntilSettled();

  const card = chat.card('tea-brewing');
  await tabTo(card);
  await page.keyboard.press('Enter');
  await expect(card).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Enter');
  await expect(card).toHaveAttribute('aria-expanded', 'false');

  await tabTo(chat.composer);
  await page.keyboard.type('/tea-brewing');
  await expect(chat.option('tea-brewing')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(chat.chip('tea-brewing')).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(chat.chip('tea-brewing')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.chip('tea-brewing')).toBeHidden();
  await expect(chat.composer).toBeFocused();

  await page.keyboard.type('Assam.');
  await tabTo(chat.button('Send'));
  await page.keyboard.press('Enter');
  await expect(chat.log.getByText('Four minutes.')).toBeVisible();

  async function tabTo(target: Locator): Promise<void> {
    do {
      await page.keyboard.press('Tab');
    } while (!(await target.evaluate((element) => element === document.activeElement)));
  }
});
