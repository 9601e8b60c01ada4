import { expect } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { AdminPage } from '../admin-page.ts';
import { ChatPage } from '../chat-page.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { activate, say } from '../provider-script.ts';

const memberPassword = 'four quiet otters';

/** A typical archive from the internet, with an unspecified field and a script. */
function archiveOf(name: string): Buffer {
  const skill = `---\nname: ${name}\ndescription: Judges teas. Use when asked how a tea tastes.\nversion: 1.2\n---\n\n# Tasting\n\n1. Smell it.\n2. Sip it.\n`;
  return Buffer.from(
    zipSync({
      [`${name}/SKILL.md`]: strToU8(skill),
      [`${name}/scripts/steep.sh`]: [
        strToU8('#!/bin/sh\nsleep 240\n'),
        { os: 3, attrs: 0o755 << 16 },
      ],
    }),
  );
}

test('an admin installs a skill, fixes it, assigns it to a group in an app, and unassigns it', async ({
  admin,
  page,
  knowhow,
  provider,
  browser,
}) => {
  test.setTimeout(60_000);
  await admin.api('PUT', 'apps/tasting-room', { name: 'Tasting room', skills: [] });
  await admin.api('PUT', 'groups/tasters', {
    name: 'Tasters',
    permissions: { apps: ['tasting-room'], models: ['*'] },
  });
  await admin.api('POST', 'users', {
    username: 'ada',
    name: 'Ada',
    groups: ['tasters'],
    password: memberPassword,
  });

  await test.step('install', async () => {
    await admin.open('skills');
    await admin.button('Import').click();
    const dialog = page.getByRole('dialog', { name: 'Import skills' });
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'tea-tasting.zip',
        mimeType: 'application/zip',
        buffer: archiveOf('tea-tasting'),
      });
    await expect(dialog.getByText('1 script')).toBeVisible();
    await dialog.getByRole('button', { name: 'Install 1 skill' }).click();
    await dialog.getByRole('link', { name: 'tea-tasting' }).click();
    await expect(page.getByRole('heading', { name: 'tea-tasting', level: 1 })).toBeVisible();
  });

  await test.step('fix what a machine can fix', async () => {
    await expect(page.getByText('"version" is not a field of the specification')).toBeVisible();
    await page.getByText('Line 4').click();
    await expect(page.locator('.cm-activeLine')).toHaveText('version: 1.2');
    await admin.link('Overview').click();
    await admin.button(/^Fix/).click();
    await expect(admin.toast('Diagnostic fixed.')).toBeVisible();
    await expect(page.getByText('Conforms to Agent Skills')).toBeVisible();
  });

  await test.step('give it to an app and a group', async () => {
    await admin.link('Access').click();
    await admin.flip(/Tasting room/);
    await admin.flip(/Tasters/);
    const row = page.getByRole('row', { name: /Tasters/ });
    await expect(row.getByRole('button', { name: 'Yes: the app lists it' })).toBeVisible();
  });

  const context = await browser.newContext({ baseURL: knowhow.url, locale: 'en-GB' });
  const member = new ChatPage(await context.newPage());
  await test.step('a member of the group uses it', async () => {
    provider.plays(activate('tea-tasting'), say('It is smoky.'));
    await member.page.goto('/login');
    await member.signIn('ada', memberPassword);
    await expect(member.button('Ada: menu')).toBeVisible();
    await member.open('/apps/tasting-room');
    await member.send('How does Lapsang taste?');
    await expect(member.card('tea-tasting')).toBeVisible();
    await expect(member.log.getByText('It is smoky.')).toBeVisible();
    await member.waitUntilSettled();
  });

  await test.step('switched off, it is gone', async () => {
    await admin.flip('Switched on');
    await expect(admin.toast('is off')).toBeVisible();
    provider.plays(say('I cannot say.'));
    await member.send('And Assam?');
    await expect(member.log.getByText('I cannot say.')).toBeVisible();
    await member.waitUntilSettled();
    await member.composer.press('/');
    await expect(member.palette).toBeVisible();
    await expect(member.option('tea-tasting')).toHaveCount(0);
  });
  await context.close();
});

test('a skill is created, deleted and restored', async ({ admin, page }) => {
  test.setTimeout(60_000);
  await admin.open('skills/new');
  await page.getByRole('textbox', { name: 'Title' }).fill('Answer complaints!');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(
    'answer-complaints',
  );
  await page
    .getByRole('textbox', { name: 'Description' })
    .fill('Answers complaints kindly. Use when a customer is unhappy.');
  await admin.button('Create skill').click();
  await expect(page.getByRole('heading', { name: 'Answer complaints!', level: 1 })).toBeVisible();
  await expect(page.getByText('Conforms to Agent Skills')).toBeVisible();

  await page.goto('/admin/skills/answer-complaints');
  await admin.button('Delete skill').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Delete skill' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('answer-complaints');
  await dialog.getByRole('button', { name: 'Delete skill' }).click();
  await expect(admin.toast('is in the bin.')).toBeVisible();
  await expect(admin.link(/answer-complaints/)).toHaveCount(0);
  await admin.button('Undo').click();
  await expect(admin.link(/answer-complaints/).first()).toBeVisible();
});

test('when two admins edit concurrently, the second sees both versions', async ({
  admin,
  adminState,
  browser,
  knowhow,
}) => {
  test.setTimeout(60_000);
  await admin.api('POST', 'skills', {
    name: 'shared-desk',
    description: 'Keeps the desk tidy. Use when it is not.',
    body: 'Old line.',
  });
  const context = await browser.newContext({
    baseURL: knowhow.url,
    locale: 'en-GB',
    storageState: adminState,
  });
  const other = new AdminPage(await context.newPage(), knowhow.url);
  const type = async (who: AdminPage, text: string) => {
    await who.page.getByRole('textbox', { name: /SKILL\.md/ }).click();
    await who.page.keyboard.press('Control+End');
    await who.page.keyboard.type(text);
  };
  for (const who of [admin, other]) {
    await who.open('skills/shared-desk/files/SKILL.md');
    await expect(who.page.getByText('Old line.').first()).toBeVisible();
  }
  await type(admin, 'From the first.');
  await admin.page.keyboard.press('Control+s');
  await expect(admin.toast('SKILL.md saved.')).toBeVisible();
  await type(other, 'From the second.');
  await other.page.keyboard.press('Control+s');
  const dialog = other.page.getByRole('dialog', {
    name: 'Someone else changed SKILL.md in the meantime',
  });
  await expect(dialog.getByText('From the first.')).toBeVisible();
  await expect(dialog.getByText('From the second.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Use server version' }).click();
  await expect(other.page.getByText('From the first.').first()).toBeVisible();
  await context.close();
});

test('unsaved changes block the back button and closing the tab', async ({ admin, page }) => {
  test.setTimeout(60_000);
  await admin.api('POST', 'skills', {
    name: 'held-desk',
    description: 'Keeps the desk tidy. Use when it is not.',
    body: 'Old line.',
  });
  await admin.open('skills/held-desk');
  await page.getByRole('link', { name: 'Files' }).click();
  const editor = page.getByRole('textbox', { name: /SKILL\.md/ });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Not saved.');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  // Playwright would wait for a page that never loads.
  const goBack = () => page.evaluate(() => history.back());

  await goBack();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(editor).toContainText('Not saved.');
  expect(page.url()).toContain('/files');

  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();

  await goBack();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/admin\/skills\/held-desk$/);
});

test('the list and a skill work with the keyboard only', async ({ admin, page }) => {
  test.setTimeout(60_000);
  await admin.open('skills');
  await page
    .getByRole('searchbox', { name: 'Search skills' })
    .or(page.getByRole('textbox', { name: 'Search skills' }))
    .focus();
  await page.keyboard.type('tea-brewing');
  await expect(admin.link(/meeting-notes/)).toHaveCount(0);
  const link = admin.link(/tea-brewing/).first();
  for (
    let step = 0;
    step < 25 && !(await link.evaluate((node) => node === document.activeElement));
    step += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await expect(link).toBeFocused();
  const toggle = admin.toggle(/tea-brewing/);
  for (
    let step = 0;
    step < 10 && !(await toggle.evaluate((node) => node === document.activeElement));
    step += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Space');
  await expect(admin.toast('tea-brewing is off.')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(admin.toast('tea-brewing is on.')).toBeVisible();
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'tea-brewing', level: 1 })).toBeVisible();
  await admin.link('Files').focus();
  await page.keyboard.press('Enter');
  await expect(admin.link('Files')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('textbox', { name: /SKILL\.md/ })).toBeVisible();
});

test('a user who is not an admin finds no admin pages', async ({ page }) => {
  await page.goto('/admin/skills');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  const response = await page.request.get('/api/admin/skills');
  expect(response.status()).toBe(401);
});

test('an app is pinned to a version, which its users keep, and follows the published one again', async ({
  admin,
  page,
}) => {
  const skill = 'tea-blending';
  const write = (text: string) =>
    admin.api(
      'PUT',
      `skills/${skill}/files/SKILL.md`,
      `---\nname: ${skill}\ndescription: ${text} Use when teas are mixed.\n---\n\n# ${text}\n`,
    );
  const described = async () => (await page.request.get('/api/skills?app=blending')).text();
  await admin.api('POST', 'skills', {
    name: skill,
    description: 'Blends as before. Use when teas are mixed.',
    body: '# Blends\n',
  });
  await write('Blends in a new way.');
  await admin.api('PUT', 'apps/blending', { name: 'Blending', skills: [skill] });

  await admin.open('apps/blending');
  await admin.button(`Pin ${skill} to a version`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Version 1', exact: true }).check();
  await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(page.getByText('Version 1 of 2')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect.poll(described).toContain('Blends as before.');

  await admin.link('Update available: show changes').click();
  await expect(page.getByRole('region', { name: 'Version 1 compared with 2' })).toBeVisible();
  await expect(page.getByText('Pinned in Blending')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 900 });
  const rightEdge = async () => {
    const box = await admin.button('Restore version 1').boundingBox();
    return box ? box.x + box.width : 0;
  };
  await expect.poll(rightEdge).toBeLessThanOrEqual(390);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Versions', exact: true })).toBeInViewport({
    ratio: 0.9,
  });
  await page.setViewportSize({ width: 1280, height: 800 });

  await admin.open('apps/blending');
  await admin.button(`Follow the published version of ${skill}`).click();
  await page.keyboard.press('Control+s');
  await expect.poll(described).toContain('Blends in a new way.');
});
