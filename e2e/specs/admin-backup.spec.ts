import { readFile } from 'node:fs/promises';
import { expect, type Locator } from '@playwright/test';
import type { AdminPage } from '../admin-page.ts';
import { knowhowTest as test } from '../knowhow-test.ts';

const prompt = { name: 'Toast a friend', prompt: 'Write three sentences for a toast.' };

test('an admin exports a backup, previews a restore, restores it, and undoes it', async ({
  admin,
  page,
}) => {
  test.setTimeout(60_000);
  await admin.open('backup');
  const dialog = page.getByRole('dialog');
  const snapshots = page.getByRole('table', { name: 'Snapshots' });

  const backup = await test.step('back up', async () => {
    const downloading = page.waitForEvent('download');
    await admin.link('Download backup').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^knowhow-\d{4}-\d\d-\d\d\.zip$/);
    return readFile(await download.path());
  });

  await test.step('look at what would be done', async () => {
    await admin.api('PUT', 'prompts/toast', prompt);
    await choose(admin, 'monday.zip', backup);
    await expect(page.getByRole('heading', { name: 'monday.zip' })).toBeVisible();
    await expect(page.getByText('contents/prompts/toast.json')).toBeVisible();
    await expect(page.getByText('Write three sentences')).toBeVisible();
  });

  await test.step('restore', async () => {
    await admin.button('Restore…').click();
    await expect(dialog.getByText('One file is removed:')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Restore' })).toBeDisabled();
    await expect(dialog.getByRole('textbox')).toBeFocused();
    await page.keyboard.type('restore');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Backup restored' })).toBeFocused();
    await expect(rows(snapshots)).toHaveCount(1);
    expect(await promptIds(admin)).not.toContain('toast');
  });

  await test.step('go back', async () => {
    await admin.button('Undo').click();
    await expect(page.getByRole('heading', { name: 'Restore undone' })).toBeFocused();
    expect(await promptIds(admin)).toContain('toast');
    await expect(rows(snapshots)).toHaveCount(2);
  });

  await test.step('restore a snapshot, and delete one', async () => {
    await snapshots
      .getByRole('button', { name: /^Restore the snapshot/ })
      .first()
      .click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await expect(admin.toast(/ has been restored\./)).toBeVisible();
    expect(await promptIds(admin)).not.toContain('toast');
    await expect(rows(snapshots)).toHaveCount(3);
    await snapshots
      .getByRole('button', { name: /^Delete the snapshot/ })
      .first()
      .click();
    await expect(dialog.getByRole('textbox')).toBeFocused();
    await page.keyboard.type('delete');
    await page.keyboard.press('Enter');
    await expect(rows(snapshots)).toHaveCount(2);
  });
});

test('an invalid or broken backup is rejected with advice, and changes nothing', async ({
  admin,
  page,
}) => {
  await admin.open('backup');
  const before = await admin.api('GET', 'backup/snapshots');
  await choose(admin, 'holiday.zip', Buffer.from('no zip at all'));
  await expect(page.getByRole('alert').filter({ hasText: 'not a zip' })).toBeVisible();
  await admin.button('Choose another file').click();
  await expect(admin.button('Choose file')).toBeFocused();
  expect(await admin.api('GET', 'backup/snapshots')).toEqual(before);
});

async function choose(admin: AdminPage, name: string, buffer: Buffer): Promise<void> {
  const input = admin.page.getByLabel('Choose file').and(admin.page.locator('input'));
  await input.setInputFiles({ name, mimeType: 'application/zip', buffer });
}

/** The rows of a table, without its header. */
function rows(table: Locator): Locator {
  return table.getByRole('row').filter({ has: table.page().getByRole('cell') });
}

async function promptIds(admin: AdminPage): Promise<string[]> {
  const { items } = (await admin.api('GET', 'prompts')) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}
