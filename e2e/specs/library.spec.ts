import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { hiddenSkill } from '../prepare-contents.ts';
import { say } from '../provider-script.ts';

test('a skill found in the library is tried with an example of its author', async ({
  chat,
  page,
  provider,
}) => {
  provider.plays(say('Minutes.'));
  await chat.open();
  await page.getByRole('link', { name: 'Skills', exact: true }).click();
  const skills = page.getByRole('list', { name: 'Skills' });
  await expect(skills.getByRole('link', { name: 'tea-brewing' })).toBeVisible();
  await expect(skills.getByRole('link', { name: hiddenSkill })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search skills' }).fill('meeting');
  await skills.getByRole('link', { name: 'meeting-notes' }).click();

  await expect(page.getByRole('heading', { name: 'meeting-notes', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Instructions for the model' }).click();
  await expect(page.getByRole('heading', { name: /steps|work/i }).first()).toBeVisible();
  const example = 'Turn these notes into minutes with decisions and action items.';
  await page.getByRole('button', { name: example }).click();
  await expect(chat.chip('meeting-notes')).toBeVisible();
  await expect(chat.composer).toHaveValue(example);

  await page.goto('/skills/release-notes');
  await page.getByRole('button', { name: 'Is this change a minor or a major version?' }).click();
  await expect(chat.composer).toHaveValue('Is this change a minor or a major version?');
  await expect(chat.chip('release-notes')).toBeVisible();
  await expect(chat.chip('meeting-notes')).toHaveCount(0);
  await page.goto('/skills/meeting-notes');
  await page.getByRole('button', { name: example }).click();
  await expect(chat.composer).toHaveValue(example);
  await chat.composer.press('Enter');
  await expect(chat.card('meeting-notes')).toBeVisible();
});

test('the library keeps its search in the URL and says when nothing is found', async ({ page }) => {
  await page.goto('/skills?query=no-such-thing');
  await expect(page.getByText('No skills found')).toBeVisible();
  await page.getByRole('button', { name: 'Show all skills' }).click();
  await expect(page.getByRole('list', { name: 'Skills' })).toBeVisible();
  await expect(page).toHaveURL(/\/skills$/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the library opens from the sidebar and fits the screen', async ({ chat, page }) => {
    await chat.open();
    await chat.button('Open the sidebar').click();
    await page.getByRole('link', { name: 'Skills', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Skills' })).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await expect(chat.button('Open the sidebar')).toBeVisible();
  });
});
