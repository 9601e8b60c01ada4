import { expect } from '@playwright/test';
import { expectPhoneToFit } from '../expect-phone-to-fit.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';

test('deleted skills come back from the bin, or are deleted permanently', async ({ admin }) => {
  test.setTimeout(120_000);
  const { page } = admin;
  for (const name of ['bin-cocoa', 'bin-matcha', 'bin-chai']) {
    await admin.api('POST', 'skills', { name, description: `Makes ${name}.`, body: 'Stir.' });
  }

  await test.step('the dialog and the toast say that it is moved to the bin', async () => {
    await admin.open('skills/bin-cocoa');
    await page.getByRole('button', { name: 'Delete skill' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “bin-cocoa”?' });
    await expect(dialog.getByText('kept in the bin for 30 days')).toBeVisible();
    await dialog.getByRole('textbox').fill('bin-cocoa');
    await dialog.getByRole('button', { name: 'Delete skill' }).click();
    await expect(admin.toast(/“bin-cocoa” is in the bin\. .* 30 days/)).toBeVisible();
    for (const name of ['bin-matcha', 'bin-chai']) {
      await admin.api('DELETE', `skills/${name}`);
    }
  });

  const list = page.getByRole('list', { name: 'Bin' });
  await test.step('the bin is searched, and a skill is restored by keyboard', async () => {
    await admin.open('skills');
    await page.getByRole('link', { name: /^Bin \(\d+\)$/ }).press('Enter');
    await page.getByRole('searchbox', { name: 'Search the bin' }).fill('bin-c');
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await expect(list.getByText('Restoring brings back: 1 version.').first()).toBeVisible();
    expect(await findSeriousViolations(page)).toEqual([]);
    await expectPhoneToFit(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Restore bin-cocoa' }).press('Enter');
    await expect(list.getByRole('heading', { name: 'bin-cocoa' })).toHaveCount(0);
    await expect(admin.toast('1 skill restored.')).toBeVisible();
  });

  await test.step('a skill is deleted permanently', async () => {
    await page.getByRole('checkbox', { name: 'Select bin-chai' }).press('Space');
    await page.getByRole('button', { name: 'Delete selected permanently' }).click();
    const dialog = page.getByRole('dialog', { name: 'Permanently delete bin-chai?' });
    await expect(dialog.getByText('This cannot be undone.')).toBeVisible();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findSeriousViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await dialog.getByRole('textbox').fill('bin-chai');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await expect(page.getByText('No deleted skill matches “bin-c”')).toBeVisible();
  });

  await admin.open('skills/bin-cocoa');
  await expect(page.getByRole('heading', { name: 'bin-cocoa' })).toBeVisible();
  await admin.open('skills/-/bin');
  await expect(list.getByRole('heading', { name: 'bin-matcha' })).toBeVisible();
});
