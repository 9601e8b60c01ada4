import { expect } from '@playwright/test';
import { changeJson } from '../change-json.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { startKnowhow } from '../start-knowhow.ts';

test.use({ serviceWorkers: 'allow' });

test('Knowhow can be installed, shows its own page when offline, and unregisters when installation is disabled', async ({
  page,
  context,
}) => {
  test.slow();
  const own = await startKnowhow();
  try {
    await page.goto(own.url);
    const browser = await context.newCDPSession(page);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
    // Some versions treat a test's window as ephemeral, which cannot install.
    const reasons = installabilityErrors.map(({ errorId }) => errorId);
    expect(reasons.filter((reason) => reason !== 'in-incognito')).toEqual([]);
    const { errors } = await browser.send('Page.getAppManifest');
    expect(errors).toEqual([]);

    await own.end('SIGKILL');
    await page.goto(`${own.url}/apps/chat`);
    await expect(page.getByRole('heading', { name: 'Knowhow cannot be reached' })).toBeVisible();
    await page.evaluate(() => localStorage.setItem('knowhow-language', 'es'));
    await page.reload();
    const heading = page.getByRole('heading', { name: 'No se puede acceder a Knowhow' });
    await expect(heading).toBeVisible();
    await page.evaluate(() => localStorage.removeItem('knowhow-language'));
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept.filter((path) => !path.startsWith('/offline/'))).toEqual(['/favicon.svg']);

    await own.run();
    // It reconnects automatically.
    await expect(page.getByLabel('Message', { exact: true })).toBeVisible({ timeout: 20_000 });

    const platform = `${own.contentsDir}/config/platform.json`;
    await changeJson(platform, { installable: false });
    await expect.poll(async () => (await fetch(own.url)).text()).not.toContain('rel="manifest"');
    await page.reload();
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
      )
      .toBe(0);
  } finally {
    await own.dispose();
  }
});
