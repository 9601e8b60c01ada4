import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';

test.describe('in German', () => {
  test.use({ locale: 'de-AT' });

  test('a German browser gets German: interface, contents and page language', async ({
    page,
    provider,
  }) => {
    provider.plays(say('Guten Tag.'));
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    const composer = page.getByLabel('Nachricht', { exact: true });
    await composer.pressSequentially('/pack');
    await expect(page.getByRole('option', { name: 'Packliste' })).toBeVisible();
    await composer.fill('Hallo');
    await page.getByRole('button', { name: 'Senden', exact: true }).click();
    await expect(page.getByRole('log').getByText('Guten Tag.')).toBeVisible();
  });
});

test('choosing German applies now and on the next visit', async ({ chat, page }) => {
  await chat.open();
  await page.getByRole('button', { name: /Guest/ }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(page.getByLabel('Nachricht', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Nachricht', { exact: true })).toBeVisible();
});
