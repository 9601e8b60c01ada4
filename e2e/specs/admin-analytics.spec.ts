import { expect } from '@playwright/test';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { activate, say } from '../provider-script.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('an admin sees how skills are used, in charts that load only there', async ({
  admin,
  chat,
  page,
  provider,
}) => {
  const charts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('report-charts')) {
      charts.push(request.url());
    }
  });
  provider.plays(activate('tea-brewing'), say('Warm the pot.'));
  await chat.open();
  await chat.send('How do I brew assam?');
  await chat.waitUntilSettled();
  await chat.button('Good answer').click();
  for (const path of ['skills', 'apps', 'audit']) {
    await admin.open(path);
  }
  expect(charts).toEqual([]);

  await page.getByRole('link', { name: 'Analytics' }).click();
  const weeks = page.getByRole('region', { name: 'Conversations by week' });
  await expect(weeks.locator('svg').first()).toBeVisible();
  expect(charts.length).toBeGreaterThan(0);
  await weeks.getByRole('button', { name: 'Show as table' }).click();
  // Other tests use this server, too.
  await expect(weeks.getByRole('table').getByRole('row').nth(1)).toContainText(/Share\d+%/);
  const skills = page.getByRole('region', { name: 'Skills', exact: true });
  await expect(skills.getByRole('row', { name: /tea-brewing/ })).toContainText(
    '1 positive, 0 negative',
  );

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1024, 'dark'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect.soft(await findSeriousViolations(page), `${width}, ${colorScheme}`).toEqual([]);
    const wide = await page
      .getByRole('main')
      .evaluate((main) => Math.max(main.scrollWidth, document.body.scrollWidth));
    expect.soft(wide, `${width}`).toBeLessThanOrEqual(width);
  }

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^knowhow-skills-[\d-]+\.csv$/);
});
