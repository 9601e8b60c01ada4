import { expect } from '@playwright/test';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';

test('an admin translates a skill, and people see it in their language while the model reads the original', async ({
  admin,
  page,
  provider,
}) => {
  test.setTimeout(60_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await test.step('translate with the keyboard', async () => {
    await admin.open('skills/tea-brewing');
    const section = page.getByRole('region', { name: 'Translations' });
    const language = section.getByRole('combobox', { name: 'Language' });
    await language.fill('not a tag');
    await language.press('Enter');
    await expect(section.getByText('This is not a language tag.')).toBeVisible();
    await language.fill('de');
    await language.press('Enter');
    const german = section.getByRole('group', { name: 'Deutsch' });
    await expect(german.getByLabel('Title')).toBeFocused();
    await page.keyboard.type('Tee kochen');
    await german.getByLabel('Description').fill('Kocht Tee in einer Porzellankanne.');
    await german.getByLabel('Title').press('Enter');
    await expect(admin.toast('Translations saved.')).toBeVisible();
    await expect(section.getByRole('heading', { name: 'Translations' })).toBeFocused();
    expect(await findSeriousViolations(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });

  await test.step('read in German', async () => {
    await page.evaluate(() => localStorage.setItem('knowhow-language', 'de'));
    await page.goto('/skills?query=Porzellankanne');
    await page.getByRole('link', { name: 'Tee kochen' }).click();
    await expect(page.getByRole('heading', { name: 'Tee kochen', level: 1 })).toBeVisible();
    await expect(page.getByText('Kocht Tee in einer Porzellankanne.')).toBeVisible();
    await expect(page.getByText('/tea-brewing')).toBeVisible();
  });

  await test.step('use it', async () => {
    provider.plays(say('Fertig.'));
    await page.goto('/');
    const composer = page.getByLabel('Nachricht', { exact: true });
    await composer.pressSequentially('/porzellan');
    const option = page.getByRole('option', { name: /tea-brewing/ });
    await expect(option).toContainText('Kocht Tee in einer Porzellankanne.');
    await composer.press('Enter');
    await composer.pressSequentially('Bitte');
    await composer.press('Enter');
    await expect(page.getByText('Fertig.')).toBeVisible();
    const sent = JSON.stringify(provider.requests);
    expect(sent).toContain('tea-brewing');
    expect(sent).not.toContain('Porzellankanne');
  });
});
