import { expect, type Page } from '@playwright/test';
import { AdminPage } from '../admin-page.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { openAs } from '../open-as.ts';

const password = 'four quiet otters';
const phone = { width: 390, height: 844 };
const people = {
  'payroll-author': { author: ['Payroll'] },
  'payroll-publisher': { publish: ['payroll'] },
  'payroll-guard': { block: ['Payroll'] },
};

/** The answers that a page refused: it must not ask for what its user may not have. */
function watchRefusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => {
    if ([401, 403].includes(response.status())) {
      refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
    }
  });
  return refused;
}

test('people work on the skills of their category, each with their right', async ({
  admin,
  knowhow,
  browser,
}) => {
  test.setTimeout(180_000);
  const skill = { name: 'payslips', description: 'Explains payslips.', body: 'Explain it.' };
  await admin.api('POST', 'skills', { ...skill, metadata: { category: 'Payroll' } });
  for (const [username, skillRights] of Object.entries(people)) {
    await admin.api('PUT', `groups/${username}`, { name: username, permissions: { skillRights } });
    await admin.api('POST', 'users', { username, name: username, groups: [username], password });
  }
  const open = async (username: string) => {
    const { page } = await openAs(browser, knowhow, { username, password });
    return { pages: new AdminPage(page, knowhow.url), page, refused: watchRefusals(page) };
  };

  await test.step('the author sees one skill, and none of the settings', async () => {
    const { pages, page, refused } = await open('payroll-author');
    await pages.open('skills');
    await expect(page.getByText('You see the skills of your categories.')).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Apps' })).toHaveCount(0);
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await pages.link('payslips').click();
    await expect(pages.link('Edit')).toBeVisible();
    for (const name of ['Export', 'Import', 'Duplicate', 'Block skill', 'Delete skill']) {
      await expect(pages.button(name)).toHaveCount(0);
    }
    await pages.link('Edit').click();
    await expect(page.getByText('Changes are saved as a draft')).toBeVisible();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Name the tax class.');
    await pages.button('Save as draft').click();
    await expect(pages.toast('Draft saved.')).toBeVisible();
    const draft = page.getByRole('region', { name: 'Draft' });
    await draft.getByRole('button', { name: 'Submit for review…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit for review' });
    await dialog.getByRole('textbox', { name: 'What changes, and why?' }).fill('Tax classes.');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(pages.button('Withdraw')).toBeVisible();
    await expect(pages.button('Approve and publish')).toHaveCount(0);
    await pages.link('Open skill').click();
    await pages.link('Versions').click();
    await expect(pages.button('Changes in version 1')).toBeVisible();
    await pages.open('skills/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Pay rises');
    await page.getByRole('textbox', { name: 'Description' }).fill('Explains pay rises.');
    await pages.button(/^Save as draft|^Create/).click();
    await expect(page.getByText('This skill would be in no category.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Payroll');
    await pages.button(/^Save as draft|^Create/).click();
    await expect(page.getByRole('region', { name: 'Draft' })).toBeVisible();
    await page.setViewportSize(phone);
    await pages.open('skills');
    await expect(page.getByText('payslips', { exact: true }).first()).toBeVisible();
    expect(await findSeriousViolations(page)).toEqual([]);
    // The draft in no category.
    expect(refused).toEqual(['403 /api/skill-drafts/pay-rises']);
  });

  await test.step('the publisher approves it', async () => {
    const { pages, page, refused } = await open('payroll-publisher');
    await pages.open('reviews');
    await pages.link('payslips').click();
    await expect(page.getByText('Name the tax class.')).toBeVisible();
    await pages.button('Approve and publish').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Approve and publish' }).click();
    await expect(page.getByText('Approved', { exact: false }).first()).toBeVisible();
    await pages.open('skills/payslips');
    await expect(page.getByText('Name the tax class.')).toBeVisible();
    await expect(pages.link('Edit')).toHaveCount(0);
    expect(refused).toEqual([]);
  });

  await test.step('the guard blocks it, and ends the block', async () => {
    const { pages, page, refused } = await open('payroll-guard');
    await pages.open('skills');
    await expect(pages.link('New skill')).toHaveCount(0);
    await pages.link('payslips').click();
    await pages.button('Block skill').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Wrong numbers.');
    await dialog.getByRole('button', { name: 'Block skill' }).click();
    await expect(page.getByRole('note').getByText('Wrong numbers.')).toBeVisible();
    await pages.link('Files').click();
    await expect(page.getByText('Explain it.').first()).toBeVisible();
    await page.getByRole('note').getByRole('button', { name: 'Unblock' }).click();
    await expect(page.getByRole('note')).toHaveCount(0);
    expect(refused).toEqual([]);
  });
});

test('an administrator gives a group rights on the skills of a category', async ({
  admin,
  page,
}) => {
  await admin.api('PUT', 'groups/tax-team', { name: 'Tax team', permissions: {} });
  await admin.open('groups/tax-team');
  const field = page.getByRole('combobox', { name: 'Write skills' });
  await field.fill('Taxes');
  await field.press('Enter');
  await admin.button('Save').click();
  await expect(admin.toast(/saved/i)).toBeVisible();
  await page.reload();
  await expect(page.getByText('Taxes', { exact: true })).toBeVisible();
});
