import { expect } from '@playwright/test';
import { expectPhoneToFit } from '../expect-phone-to-fit.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { openAs } from '../open-as.ts';

const password = 'four quiet otters';

test('a late review reaches the owner of the skill, and a deprecated skill names its successor', async ({
  admin,
  knowhow,
  browser,
}) => {
  test.setTimeout(120_000);
  const { page } = admin;
  await admin.api('POST', 'users', {
    username: 'hanna',
    name: 'Hanna',
    groups: ['users'],
    password,
  });
  await admin.api('POST', 'skills', {
    name: 'tea-party',
    description: 'Plans a tea party.',
    body: 'Invite guests.',
  });

  await test.step('an administrator sets a review date, and finds the skill in the list', async () => {
    await admin.open('skills/tea-brewing');
    const owner = page.getByRole('combobox', { name: 'Owner' });
    await owner.fill('Olg');
    await page.getByRole('option', { name: 'Hanna' }).click();
    await page.getByLabel('Review by').fill('2026-01-31');
    await page.getByLabel('Review by').press('Enter');
    await expect(admin.toast(/Next review of “tea-brewing”/)).toBeVisible();
    await admin.open('skills');
    await page.getByRole('link', { name: 'Needs attention (1)' }).click();
    const list = page.getByRole('list', { name: 'Needs attention' });
    await expect(list.getByText('The review was due by 31 Jan 2026.')).toBeVisible();
    await expect(list.getByRole('link', { name: 'tea-brewing' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Reason' }).selectOption('no-owner');
    await expect(list.getByRole('link', { name: 'tea-party' })).toBeVisible();
    await expectPhoneToFit(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  const hanna = await openAs(browser, knowhow, { username: 'hanna', password });
  await test.step('the owner reviews it, by keyboard', async () => {
    await hanna.page.getByRole('link', { name: 'Inbox' }).click();
    await hanna.page.getByRole('link', { name: 'Needs attention (1)' }).press('Enter');
    await expect(hanna.page.getByText('The review was due by 31 Jan 2026.')).toBeVisible();
    await expectPhoneToFit(hanna.page);
    await hanna.button('Reviewed, next review in 6 months').press('Enter');
    await expect(hanna.page.getByText('Nothing needs attention')).toBeVisible();
  });

  await test.step('the administrator deprecates it in favour of another', async () => {
    await admin.open('skills/tea-brewing');
    await page.getByRole('button', { name: 'Deprecate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deprecate “tea-brewing”?' });
    await dialog.getByRole('combobox', { name: 'Use instead' }).fill('party');
    await page.getByRole('option', { name: 'tea-party' }).click();
    await dialog.getByRole('textbox', { name: /Note for users/ }).fill('Knows more teas.');
    expect(await findSeriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Deprecate', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('Deprecated, use tea-party instead').first()).toBeVisible();
  });

  await test.step('the library says what to use instead, until the deprecation ends', async () => {
    await page.goto('/skills/tea-brewing');
    await expect(page.getByText('Knows more teas.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Use tea-party instead.' })).toBeVisible();
    await expectPhoneToFit(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await admin.open('skills/tea-brewing');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the deprecation of “tea-brewing”' });
    await expect(dialog.getByRole('combobox', { name: 'Use instead' })).toHaveValue('tea-party');
    await dialog.getByLabel('Note for users (optional)').fill('Parties only.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Parties only.')).toBeVisible();
    await expect(page.getByText('Deprecated, use tea-party instead').first()).toBeVisible();
    await page.getByRole('button', { name: 'End deprecation' }).click();
    await expect(admin.toast('“tea-brewing” is no longer deprecated.')).toBeVisible();
    await page.goto('/skills/tea-brewing');
    await expect(page.getByRole('heading', { name: 'tea-brewing' })).toBeVisible();
    await expect(page.getByText('This skill is deprecated.')).toHaveCount(0);
  });
});
