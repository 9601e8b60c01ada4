import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { testWithContents } from '../knowhow-test.ts';

const test = testWithContents(addPlugin);

/** A plugin with two skills, one of which has code with settings. */
async function addPlugin(contentsDir: string): Promise<void> {
  const letters = {
    id: 'letters',
    description: 'Writes letters.',
    defaultEnabled: true,
    source: { kind: 'inline', content: 'Write a letter.' },
  };
  const settings = [
    { name: 'API_KEY', hint: 'Your key', secret: true, required: true },
    { name: 'UNITS', secret: false, required: false, default: 'metric' },
  ];
  const run = { type: 'plugin', handler: 'assets/original/handler.js', settings };
  const tool = { name: 'weather', description: 'Says it.', parameters: { type: 'object' }, run };
  const frontmatter =
    'name: weather\ndescription: Says the weather.\nmetadata:\n  tool: assets/tool.json';
  const files = {
    'plugin.json': JSON.stringify({ id: 'office', name: 'Office', skills: [letters], hooks: {} }),
    'skills/weather/SKILL.md': `---\n${frontmatter}\n---\n\nSay it.\n`,
    'skills/weather/assets/tool.json': JSON.stringify(tool),
    'skills/weather/assets/original/handler.js': 'module.exports.runtime = {};\n',
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(contentsDir, 'plugins/office', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

type Pages = Record<string, (page: Page) => Promise<void>>;

/** Every admin page, and a locator that shows when it has loaded. */
const skillPages: Pages = {
  skills: (page) => expect(page.getByRole('link', { name: /meeting-notes/ }).first()).toBeVisible(),
  'skills?query=nothing-like-this': (page) => expect(page.getByText('Nothing found')).toBeVisible(),
  'skills/new': (page) => heading(page, 'New skill'),
  'skills/meeting-notes': (page) => heading(page, 'meeting-notes'),
  'skills/meeting-notes/files/SKILL.md': (page) =>
    expect(page.getByRole('textbox', { name: /SKILL\.md/ })).toBeVisible(),
  'skills/meeting-notes/access': (page) => expect(page.getByRole('table').first()).toBeVisible(),
  'skills/meeting-notes/triggers': (page) =>
    expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible(),
  'skills/meeting-notes/versions': (page) => heading(page, 'meeting-notes'),
  'skills/weather': async (page) => {
    await expect(page.getByRole('heading', { name: 'Scripts', exact: true })).toBeVisible();
    await expect(page.getByLabel(/^API_KEY/)).toBeVisible();
  },
  'skills/not-there': (page) => expect(page.getByRole('heading').first()).toBeVisible(),
};

const otherPages: Pages = {
  apps: (page) => heading(page, 'Apps'),
  'apps/chat': (page) => heading(page, /Chat/),
  groups: (page) => heading(page, 'Groups'),
  'groups/anonymous': (page) => heading(page, /Anonymous/),
  models: (page) => heading(page, 'Models'),
  'models/demo': (page) => heading(page, /Demo/),
  prompts: (page) => heading(page, 'Prompts'),
  'prompts/packing-list': (page) => heading(page, /Packing list/),
  tools: (page) => expect(page.getByRole('link', { name: 'Calculator' })).toBeVisible(),
  'tools/calculate': (page) => heading(page, 'Calculator'),
  plugins: (page) => expect(page.getByRole('link', { name: 'letters' })).toBeVisible(),
  reviews: (page) => heading(page, 'Reviews'),
  users: (page) => heading(page, 'Users'),
  backup: (page) => heading(page, 'Backup'),
  audit: (page) => heading(page, 'Audit log'),
};

/** Each width and each colour scheme once; common parts are checked twice anyway. */
const views = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

test.use({ contextOptions: { reducedMotion: 'reduce' } });

// One visitor for many pages: signing in and loading the client each time would take most of the time.
for (const [area, pages] of Object.entries({ skills: skillPages, 'the rest': otherPages })) {
  test(`axe finds no serious violations on the admin pages of ${area}`, async ({ admin, page }) => {
    test.setTimeout(240_000);
    for (const [path, isThere] of Object.entries(pages)) {
      await test.step(path, async () => {
        await page.setViewportSize(views[0].viewport);
        await admin.open(path);
        await isThere(page);
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        for (const { viewport, colorScheme } of views) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          const view = `${path}, ${viewport.width}, ${colorScheme}`;
          expect.soft(await findSeriousViolations(page), view).toEqual([]);
        }
      });
    }
  });
}
