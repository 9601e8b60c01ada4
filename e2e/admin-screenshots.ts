import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { knowhowTest as test } from './knowhow-test.ts';
import { repositoryRoot } from './start-knowhow.ts';

const folder = join(repositoryRoot, 'docs', 'images');
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(90_000);

/** A typical skill from the internet. */
const found = Buffer.from(
  zipSync({
    'pdf-forms/SKILL.md': strToU8(
      '---\nname: PDF Forms\ndescription: Fills in PDF forms. Use when there is a form to fill in.\nversion: 1.2\n---\n\n# PDF forms\n\n1. Read the form.\n2. Ask for what is missing.\n',
    ),
    'pdf-forms/scripts/fill.py': strToU8('#!/usr/bin/env python3\nprint("filled")\n'),
    'meeting-notes/SKILL.md': strToU8(
      '---\nname: meeting-notes\ndescription: Turns raw notes into minutes.\n---\n\n# Minutes\n\n1. Collect the decisions.\n',
    ),
  }),
);

const tour: Record<string, { path: string; until: (page: Page) => Promise<void> }> = {
  skills: {
    path: 'skills',
    until: (page) =>
      expect(page.getByRole('link', { name: /meeting-notes/ }).first()).toBeVisible(),
  },
  skill: {
    path: 'skills/meeting-notes',
    until: (page) =>
      expect(page.getByRole('heading', { name: 'Meeting notes to decisions' })).toBeAttached(),
  },
  editor: {
    path: 'skills/meeting-notes/files/SKILL.md',
    until: (page) => expect(page.getByRole('textbox', { name: /SKILL\.md/ })).toBeVisible(),
  },
  access: {
    path: 'skills/meeting-notes/access',
    until: (page) => expect(page.getByRole('switch').nth(4)).toBeVisible(),
  },
  app: {
    path: 'apps/chat',
    until: (page) => expect(page.getByRole('textbox').first()).toBeVisible(),
  },
  import: {
    path: 'skills',
    until: async (page) => {
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Import skills' });
      await dialog
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'found.zip', mimeType: 'application/zip', buffer: found });
      await expect(dialog.getByText('2 skills in found.zip')).toBeVisible();
    },
  },
  backup: {
    path: 'backup',
    until: async (page) => {
      const headers = { origin: new URL(page.url()).origin };
      const toast = '/api/admin/prompts/toast';
      await page.request.delete(toast, { headers });
      const backup = await page.request.get('/api/admin/backup/export');
      const prompt = { name: 'Toast a friend', prompt: 'Write three sentences for a toast.' };
      await page.request.put(toast, { data: prompt, headers });
      await page
        .getByLabel('Choose file')
        .and(page.locator('input'))
        .setInputFiles({
          name: 'monday.zip',
          mimeType: 'application/zip',
          buffer: await backup.body(),
        });
      await expect(page.getByText('contents/prompts/toast.json')).toBeVisible();
      await page
        .getByRole('heading', { name: 'Restore a backup' })
        .evaluate((heading) => heading.scrollIntoView());
    },
  },
};

for (const [device, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`takes screenshots of the admin pages: ${device}, ${colorScheme}`, async ({
      admin,
      page,
    }) => {
      await mkdir(folder, { recursive: true });
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      for (const [name, { path, until }] of Object.entries(tour)) {
        await admin.open(path);
        await until(page);
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({
          path: join(folder, `admin-${name}-${colorScheme}-${viewport.width}.png`),
          caret: 'initial',
        });
      }
    });
  }
}
