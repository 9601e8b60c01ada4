import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';
import { adminPassword } from '../start-knowhow.ts';

const locales = fileURLToPath(new URL('../../locales/', import.meta.url));

/** A file of a language's folder. */
function read<Texts>(language: string, file: string): Texts {
  return JSON.parse(readFileSync(`${locales}${language}/${file}.json`, 'utf8')) as Texts;
}

interface Common {
  composer: { label: string; send: string };
}

for (const language of readdirSync(locales)) {
  const { composer } = read<Common>(language, 'common');
  const { name, direction } = read<{ name: string; direction: string }>(language, 'language');

  test.describe(`a browser in ${name}`, () => {
    test.use({ locale: language });

    test('gets its language: interface, answer and language of the page', async ({
      page,
      provider,
    }) => {
      provider.plays(say('Guten Tag.'));
      await page.goto('/');
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('dir', direction);
      await page.getByLabel(composer.label, { exact: true }).fill('Hallo');
      await page.getByRole('button', { name: composer.send, exact: true }).click();
      await expect(page.getByRole('log').getByText('Guten Tag.')).toBeVisible();
    });
  });
}

test.describe('in Austrian German', () => {
  test.use({ locale: 'de-AT' });

  test('a German browser gets German contents', async ({ page }) => {
    await page.goto('/');
    await page.getByLabel('Nachricht', { exact: true }).pressSequentially('/pack');
    await expect(page.getByRole('option', { name: 'Packliste' })).toBeVisible();
  });

  test('a page whose texts cannot be loaded is in English, and in German at the next visit', async ({
    page,
  }) => {
    await page.route('**/assets/common-*.js', (route) => route.abort());
    await page.goto('/');
    await expect(page.getByLabel('Message', { exact: true })).toBeVisible();
    await page.unroute('**/assets/common-*.js');
    await page.reload();
    await expect(page.getByLabel('Nachricht', { exact: true })).toBeVisible();
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

test('choosing French on an admin page applies to all of it', async ({ chat, page }) => {
  await page.goto('/login');
  await chat.signIn('admin', adminPassword);
  await chat.waitUntilReady();
  await page.goto('/admin/skills');
  await page.getByRole('button', { name: 'Admin: menu' }).click();
  await page.getByRole('menuitemradio', { name: 'Français' }).click();
  await expect(page.getByRole('link', { name: 'Nouveau skill' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Retour au chat' })).toBeVisible();
});

const languagePages = ['/', '/admin/skills', '/admin/apps/chat', '/admin/settings', '/admin/audit'];

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`pages run from right to left in a language that does, ${width} pixels wide`, async ({
    chat,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/login');
    await chat.signIn('admin', adminPassword);
    await chat.waitUntilReady();
    // The pseudo-language for this.
    await page.evaluate(() => localStorage.setItem('knowhow-language', 'ar-XB'));
    for (const path of languagePages) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      await expect(page.getByRole('heading').first()).toBeVisible();
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
    }
    await page.goto('/admin/skills');
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    const left = heading?.x ?? 0;
    expect(left + (heading?.width ?? 0)).toBeGreaterThan(width / 2);
  });
}

/** By how many pixels the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
