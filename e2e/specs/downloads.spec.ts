import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';

test('an admin downloads by links; images and frames of a page cannot', async ({ admin, page }) => {
  await test.step('a skill, in each format', async () => {
    await admin.open('skills/meeting-notes');
    for (const [position, ending] of ['zip', 'tar.gz', 'json'].entries()) {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('menuitem').nth(position).click();
      expect((await downloading).suggestedFilename()).toBe(`meeting-notes.${ending}`);
    }
  });

  await test.step('several skills', async () => {
    await admin.open('skills');
    await page.getByRole('checkbox', { name: /meeting-notes|Meeting notes/i }).check();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export' }).click();
    expect((await downloading).suggestedFilename()).toBe('skills.zip');
  });

  await test.step('nothing that a page names', async () => {
    for (const element of ['img', 'iframe']) {
      const refused = page.waitForResponse(/backup\/export/);
      await page.evaluate((name) => {
        const loading = document.createElement(name);
        loading.setAttribute('src', '/api/admin/backup/export');
        document.body.append(loading);
      }, element);
      expect((await refused).status()).toBe(403);
    }
  });
});
