import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { AdminPage } from '../admin-page.ts';
import { ChatPage } from '../chat-page.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { testWithContents } from '../knowhow-test.ts';
import type { Knowhow } from '../start-knowhow.ts';

/** Reviews are required, by another person than the author. */
const test = testWithContents(requireReviews);

async function requireReviews(contentsDir: string): Promise<void> {
  const path = join(contentsDir, 'config/skills.json');
  const config = JSON.parse(await readFile(path, 'utf8')) as { settings?: object };
  const publishing = { mode: 'review', fourEyes: true, checks: { links: 'required' } };
  await writeFile(
    path,
    JSON.stringify({ ...config, settings: { ...config.settings, publishing } }),
  );
}

const password = 'four quiet otters';
const phone = { width: 390, height: 844 };

async function openAs(browser: Browser, knowhow: Knowhow, username: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: knowhow.url, locale: 'en-GB' });
  const visitor = new ChatPage(await context.newPage());
  await visitor.page.goto('/login');
  await visitor.signIn(username, password);
  await expect(visitor.page.getByRole('button', { name: /: menu$/ })).toBeVisible();
  return visitor.page;
}

test('an author drafts and submits a change, and another person returns and then publishes it', async ({
  admin,
  knowhow,
  browser,
}) => {
  test.setTimeout(240_000);
  const people = { ann: ['skills'], rita: ['publish'] };
  for (const [username, adminAccess] of Object.entries(people)) {
    const permissions = { adminAccess, models: ['*'] };
    await admin.api('PUT', `groups/${username}`, { name: username, permissions });
    const name = username === 'ann' ? 'Ann' : 'Rita';
    await admin.api('POST', 'users', { username, name, groups: [username], password });
  }
  const author = new AdminPage(await openAs(browser, knowhow, 'ann'), knowhow.url);
  const reviewer = new AdminPage(await openAs(browser, knowhow, 'rita'), knowhow.url);
  const draft = author.page.getByRole('region', { name: 'Draft' });

  await test.step('the author saves a draft', async () => {
    await author.open('skills/meeting-notes/files/SKILL.md');
    await expect(author.page.getByText('Changes are saved as a draft')).toBeVisible();
    await appendTo(author.page, 'Name who was absent.');
    await author.button('Save as draft').click();
    await expect(author.toast('Draft saved.')).toBeVisible();
    await expect(draft.getByText('Draft based on version 1')).toBeVisible();
    await expect(draft.getByText('Changed by Ann')).toBeVisible();
    await draft.getByRole('button', { name: 'Show changes' }).click();
    const changes = author.page.getByRole('dialog', { name: 'Changes from the published version' });
    await expect(changes.getByText('Name who was absent.')).toBeVisible();
    await changes.getByRole('button', { name: 'Close' }).click();
    await draft.getByRole('button', { name: 'Compare answers…' }).click();
    const replay = author.page.getByRole('dialog', { name: 'Compare answers' });
    await replay.getByRole('textbox', { name: 'Message' }).fill('We met on Monday.');
    await replay.getByRole('button', { name: 'Answer' }).click();
    for (const side of ['Published version 1', 'Draft']) {
      const answer = replay.getByRole('region', { name: side });
      await expect(answer.getByText(/ output tokens/)).toBeVisible();
    }
    expect(await findSeriousViolations(author.page)).toEqual([]);
    await replay.getByRole('button', { name: 'Close' }).click();
  });

  const submit = async (message: string) => {
    await draft.getByRole('button', { name: 'Submit for review…' }).click();
    const dialog = author.page.getByRole('dialog', { name: 'Submit for review' });
    await dialog.getByRole('textbox', { name: 'What changes, and why?' }).fill(message);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(
      author.page.getByRole('heading', { level: 1, name: 'meeting-notes' }),
    ).toBeVisible();
    await expect(author.page.getByText(message)).toBeVisible();
  };

  await test.step('and submits it, but cannot approve it', async () => {
    await submit('Absent people were forgotten.');
    await expect(author.button('Withdraw')).toBeVisible();
    await expect(author.button('Approve and publish')).toHaveCount(0);
  });

  await test.step('the reviewer returns it with a comment', async () => {
    await reviewer.open('reviews');
    await expect(reviewer.link(/^Reviews 1 open review$/)).toBeVisible();
    await reviewer.link('meeting-notes').click();
    await expect(reviewer.page.getByText('Name who was absent.')).toBeVisible();
    await expect(reviewer.page.getByText('Compared with version 1.')).toBeVisible();
    await reviewer.button('Return with comment').click();
    const dialog = reviewer.page.getByRole('dialog', { name: /^Return/ });
    await dialog.getByRole('textbox', { name: 'Comment for the author' }).fill('Say why, too.');
    await dialog.getByRole('button', { name: 'Return with comment' }).click();
    await expect(reviewer.toast('The draft of meeting-notes was returned.')).toBeVisible();
  });

  await test.step('the author reads the comment, changes the draft and submits it again', async () => {
    await author.page.reload();
    await expect(author.page.getByText('Returned by Rita')).toBeVisible();
    await expect(author.page.getByText('Say why, too.')).toBeVisible();
    await author.open('skills/meeting-notes/files/SKILL.md');
    await expect(draft.getByRole('button', { name: '7 checks passed' })).toBeVisible();
    await appendTo(author.page, 'And say why, see [why](references/why.md).');
    await author.button('Save draft').click();
    await expect(author.toast('Draft saved.')).toBeVisible();
    await draft.getByRole('button', { name: '1 check fails' }).click();
    const checks = author.page.getByRole('dialog', { name: 'Checks' });
    await expect(checks.getByText('"references/why.md" is not in the folder.')).toBeVisible();
    await author.page.keyboard.press('Escape');
    await submit('Absent people, and why.');
  });

  await test.step('the reviewer publishes it from a phone, and says why in spite of a check', async () => {
    const { page } = reviewer;
    await page.setViewportSize(phone);
    await page.goto('/admin/reviews');
    await reviewer.link('meeting-notes').click();
    await expect(page.getByText('And say why, see')).toBeVisible();
    await expect(page.getByText('"references/why.md" is not in the folder.')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    expect(await findSeriousViolations(page)).toEqual([]);
    await reviewer.button('Approve and publish').click();
    const dialog = page.getByRole('dialog', { name: 'Publish “meeting-notes”?' });
    await expect(dialog.getByText('2 apps follow the published version')).toBeVisible();
    await expect(dialog.getByText('A required check fails: Links.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Reason for publishing anyway' }).fill('It follows.');
    await dialog.getByRole('button', { name: 'Approve and publish' }).click();
    await expect(reviewer.toast('meeting-notes is published as version 2.')).toBeVisible();
    await expect(page.getByText('Approved by Rita')).toBeVisible();
  });

  await test.step('the version names both, and the draft is gone', async () => {
    await author.open('skills/meeting-notes/versions');
    await expect(author.page.getByText('Absent people, and why.')).toBeVisible();
    await expect(author.page.getByText('reviewed by Rita')).toBeVisible();
    await expect(author.page.getByText('failed checks (Links): It follows.')).toBeVisible();
    await author.open('skills/meeting-notes/files/SKILL.md');
    await goToEnd(author.page);
    await expect(author.page.locator('.cm-line', { hasText: 'And say why, see' })).toBeVisible();
    await expect(draft).toHaveCount(0);
  });

  await test.step('a new skill begins as a draft, too', async () => {
    await author.open('skills/new');
    await author.page.getByRole('textbox', { name: 'Title' }).fill('Answer complaints');
    await author.page
      .getByRole('textbox', { name: 'Description' })
      .fill('Answers complaints kindly. Use when a customer is unhappy.');
    await author.button('Create skill').click();
    await expect(draft.getByText('Draft of a new skill')).toBeVisible();
    await draft.getByRole('button', { name: 'Submit for review…' }).click();
    const dialog = author.page.getByRole('dialog', { name: 'Submit for review' });
    await dialog.getByRole('textbox', { name: 'What changes, and why?' }).fill('Is new.');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(author.page.getByText('All of it is new.')).toBeVisible();
    await author.button('Withdraw').click();
    await author.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await expect(author.page.getByText('Withdrawn by Ann')).toBeVisible();
  });

  await author.page.context().close();
  await reviewer.page.context().close();
});

/** Types a line at the end of the open file. */
async function appendTo(page: Page, text: string): Promise<void> {
  await goToEnd(page);
  await page.keyboard.type(`\n${text}\n`);
}

/** The editor renders only the lines in view. */
async function goToEnd(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'SKILL.md' }).click();
  await page.keyboard.press('ControlOrMeta+End');
}
