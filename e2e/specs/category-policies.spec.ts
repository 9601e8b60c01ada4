import { expect } from '@playwright/test';
import { AdminPage } from '../admin-page.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { openAs } from '../open-as.ts';

const password = 'four quiet otters';

test('a category gets its own policy, and its author then has a draft in place of a save', async ({
  admin,
  knowhow,
  browser,
}) => {
  test.setTimeout(180_000);
  const { page } = admin;
  for (const [name, category] of [
    ['leave-days', 'HR'],
    ['room-plan', 'Office'],
  ]) {
    await admin.api('POST', 'skills', {
      name,
      description: `Knows ${name}.`,
      body: 'Do it.',
      metadata: { category },
    });
  }
  const permissions = { adminAccess: ['skills'], skillCategories: ['HR'] };
  await admin.api('PUT', 'groups/authors', { name: 'Authors', permissions });
  await admin.api('POST', 'users', {
    username: 'polly',
    name: 'Polly',
    groups: ['authors'],
    password,
  });

  const policy = page.getByRole('group', { name: 'hr' });
  await test.step('an administrator adds a policy by keyboard', async () => {
    await admin.open('settings/skills');
    const name = page.getByRole('combobox', { name: 'Category' });
    await name.fill('hr');
    await name.press('Escape');
    await admin.button('Add category').press('Enter');
    await expect(name).toBeFocused();
    await expect(policy.getByRole('combobox', { name: 'Changes of skills' })).toHaveValue('review');
    await policy.getByRole('combobox', { name: 'Require a second person' }).selectOption('Yes');
    await policy.getByRole('combobox', { name: 'Secrets' }).selectOption('Required');
    await name.fill(' HR ');
    await expect(page.getByText('This category has a policy already.')).toBeVisible();
    await expect(admin.button('Add category')).toBeDisabled();
    await name.fill('Nothing');
    await name.press('Escape');
    await admin.button('Add category').click();
    await expect(page.getByText('No skill has this category yet.')).toBeVisible();
    await admin.button('Remove Nothing').click();
    await admin.button('Save').click();
    await expect(page.getByText('No skill has this category yet.')).toHaveCount(0);
    await page.reload();
    await expect(policy.getByRole('combobox', { name: 'Secrets' })).toHaveValue('required');
    expect(await findSeriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  const polly = await openAs(browser, knowhow, { username: 'polly', password });
  const author = new AdminPage(polly.page, knowhow.url);
  await test.step('an author saves a draft of a skill in it, and publishes others', async () => {
    await author.open('skills/room-plan/files/SKILL.md');
    await expect(author.button('Save')).toBeVisible();
    await author.open('skills/leave-days/files/SKILL.md');
    await author.page.locator('.cm-content').click();
    await author.page.keyboard.press('Control+End');
    await author.page.keyboard.type('Count half days.');
    await author.button('Save as draft').click();
    await expect(
      author.page.getByText(
        'Changes need a review by a second person. This is the policy of the category hr.',
      ),
    ).toBeVisible();
  });

  await test.step('its page says which group has it by its category', async () => {
    await admin.open('skills/leave-days/access');
    await expect(page.getByRole('link', { name: 'Granted by category' })).toBeVisible();
  });
});
