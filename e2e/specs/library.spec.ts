import { expect, type Page } from '@playwright/test';
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

test('after Show more and Show all, the focus is on the first new skill or the heading', async ({
  page,
}) => {
  await loadThreeAtATime(page);
  await page.goto('/skills?order=name');
  const links = page.getByRole('list', { name: 'Skills' }).getByRole('link');
  const more = page.getByRole('button', { name: 'Show more' });
  let count = 3;
  await expect(links).toHaveCount(count);
  while (await more.isVisible()) {
    await more.press('Enter');
    await expect(links.nth(count)).toBeFocused();
    count = await links.count();
  }
  expect(count).toBeGreaterThan(6);

  await page.goto('/skills?query=no-such-thing');
  await page.getByRole('button', { name: 'Show all skills' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Skills', level: 1 })).toBeFocused();
});

test('going back to the library keeps its filter, loaded pages and position', async ({ page }) => {
  await loadThreeAtATime(page);
  await page.setViewportSize({ width: 700, height: 500 });
  await page.goto('/skills?order=name');
  const links = page.getByRole('list', { name: 'Skills' }).getByRole('link');
  await expect(links).toHaveCount(3);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(links).toHaveCount(6);
  const sixth = links.nth(5);
  await sixth.scrollIntoViewIfNeeded();
  const before = await sixth.boundingBox();
  for (const goBack of [
    () => page.goBack(),
    () => page.getByRole('main').getByRole('link', { name: 'Skills', exact: true }).click(),
  ]) {
    await sixth.click();
    await expect(page.getByRole('button', { name: 'Instructions for the model' })).toBeVisible();
    await goBack();
    await expect(page).toHaveURL(/\/skills\?order=name$/);
    await expect(links).toHaveCount(6);
    await expect.poll(async () => (await sixth.boundingBox())?.y).toBe(before?.y);
  }
});

/** Three skills instead of 48 are a page of the list. */
async function loadThreeAtATime(page: Page): Promise<void> {
  await page.route('**/api/library?*', (route) =>
    route.continue({ url: route.request().url().replace('limit=48', 'limit=3') }),
  );
}

for (const path of [
  '/skills/%E0%A4%A',
  '/skills/%',
  '/c/%C0%AF',
  '/admin/skills/%ff',
  '/%E0%A4%A',
]) {
  test(`a browser shows a page at ${path}, which cannot be decoded`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText('{');
  });
}

test('a page without a conversation has a link that skips to its content', async ({ page }) => {
  await page.goto('/skills');
  await expect(page.getByRole('heading', { name: 'Skills', level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
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
