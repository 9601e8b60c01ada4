import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { api } from '@knowhow/shared/api';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createZip, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  defaultFiles,
  startTestServer,
  type TestServer,
} from '../../../testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

/** A folder on the host with a skill that is not part of this installation. */
let outside: string;
let server: TestServer;
beforeEach(async () => {
  outside = join(await temporaryFolder(), 'skills');
  await writeFiles(outside, { 'private/SKILL.md': skillFile('private', 'Not for you.') });
});
afterEach(() => server.close());

const own = ['meeting-notes', 'release-notes'];

async function start(settings: object, environment: Record<string, string> = {}, before = '') {
  server = await startTestServer({
    environment,
    files: { 'config/skills.json': { settings } },
    ...(before === '' ? {} : { folder: before }),
  });
  return signInAdmin(server);
}

async function skills(): Promise<string[]> {
  const page = await (await server.visitor()('/api/skills')).json();
  return api.skills.list.response.parse(page).items.map(({ name }) => name);
}

async function faults() {
  const admin = await signInAdmin(server);
  const page = await (await admin('/api/admin/faults')).json();
  return api.health.faults.response.parse(page).items;
}

const refused = (field: string, directory: string) => ({
  path: 'contents/config/skills.json',
  field: `settings.${field}`,
  message: expect.stringContaining(`No skills are read from ${directory}: `),
  isUsed: true,
});

test('an admin sees links that are not followed, and a skill through a link inside', async () => {
  const before = await temporaryFolder();
  await writeFiles(join(before, 'contents'), defaultFiles);
  await writeFiles(before, {
    'contents/skills/shared/tables/SKILL.md': skillFile('tables', 'Shared.'),
    'contents/skills/birds/SKILL.md': skillFile('birds', 'Watch.'),
  });
  const folder = join(before, 'contents/skills');
  await symlink('shared/tables', join(folder, 'tables'));
  await symlink(join(outside, 'private'), join(folder, 'private'));
  await symlink('nothing', join(folder, 'gone'));
  await symlink('..', join(folder, 'shared/circle'));
  await symlink(join(outside, 'private/SKILL.md'), join(folder, 'birds/more.md'));
  await writeFiles(before, {
    'contents/skills/birds/old\\notes.md': 'Written by a Windows program.',
  });
  const admin = await start({}, {}, before);
  expect(await skills()).toContain('tables');
  expect(await skills()).not.toContain('private');
  const [fault] = await faults();
  expect(fault?.message).toMatch(/^3 links were not followed: .*gone, .*private, .*circle\. /);
  const answer = await admin('/api/admin/skills/birds');
  const detail = await parseAnswer(adminSkillDetailSchema, answer);
  expect(detail.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'link-left-out', file: 'more.md' }),
  );
  expect(detail.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'name-left-out', file: 'old\\notes.md' }),
  );
});

describe('a skill that is reachable through several paths', () => {
  const birds = skillFile('birds', 'Watch.');
  const at = (path: string) => ({ [`contents/skills/${path}/SKILL.md`]: birds });

  test.each([
    {
      name: 'two links next to it',
      files: at('a/birds'),
      links: { 'b/birds': '../a/birds', 'c/birds': '../a/birds' },
      place: 'local:a/birds',
      others: 'local:b/birds, local:c/birds',
    },
    {
      name: 'a link with another name',
      files: at('birds'),
      links: { aves: 'birds' },
      place: 'local:birds',
      others: 'local:aves',
    },
    {
      name: 'a link to the folder around it',
      files: at('shared/birds'),
      links: { team: 'shared' },
      place: 'local:shared/birds',
      others: 'local:team/birds',
    },
    {
      name: 'a link to a link',
      files: at('a/birds'),
      links: { 'b/birds': '../a/birds', 'c/birds': '../b/birds' },
      place: 'local:a/birds',
      others: 'local:b/birds, local:c/birds',
    },
    {
      name: 'two folders with the same content',
      files: { ...at('a/birds'), ...at('b/birds') },
      links: {},
      place: 'local:a/birds',
      others: 'local:b/birds',
    },
    {
      name: 'two sources',
      files: { ...at('birds'), 'extra/birds/SKILL.md': birds },
      links: {},
      place: 'local:birds',
      others: 'extra:birds',
    },
    {
      name: 'a link and a circle',
      files: at('a/birds'),
      links: { 'b/birds': '../a/birds', 'a/circle': '..' },
      place: 'local:a/birds',
      others: 'local:b/birds',
    },
  ])('is listed once and names each path: $name', async ({ files, links, place, others }) => {
    const before = await temporaryFolder();
    await writeFiles(join(before, 'contents'), defaultFiles);
    await writeFiles(before, files);
    for (const [path, target] of Object.entries(links)) {
      const link = join(before, 'contents/skills', path);
      await mkdir(dirname(link), { recursive: true });
      await symlink(target, link);
    }
    const environment = 'extra/birds/SKILL.md' in files ? join(before, 'extra') : '';
    const admin = await start({}, environment ? { SKILLS_EXTRA_DIRS: environment } : {}, before);
    expect((await skills()).filter((name) => name !== 'birds')).toEqual(own);
    const detail = await parseAnswer(adminSkillDetailSchema, admin('/api/admin/skills/birds'));
    expect(detail.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'found-again', values: { place, others } }),
    );
  });
});

describe('a skill source in the configuration', () => {
  test('outside contents/ has no effect, and an admin sees how to allow it', async () => {
    await start({ sources: [{ path: outside }] });
    expect(await skills()).toEqual(own);
    expect(await faults()).toEqual([refused('sources.0.path', outside)]);
    expect((await faults())[0]?.message).toMatch(`: SKILLS_EXTRA_DIRS=${outside}`);
  });

  test('works where the environment allows it, including subfolders', async () => {
    const path = join(outside, 'private');
    await start({ sources: [{ path, recursive: true }] }, { SKILLS_EXTRA_DIRS: outside });
    expect(await skills()).toEqual(['meeting-notes', 'private', 'release-notes']);
    expect(await faults()).toEqual([]);
  });

  test('does not work next to an allowed folder whose name is a prefix of its own', async () => {
    const beside = `${outside}-of-others`;
    await writeFiles(beside, { 'other/SKILL.md': skillFile('other', 'Theirs.') });
    await start({ sources: [{ path: beside }] }, { SKILLS_EXTRA_DIRS: outside });
    expect(await skills()).not.toContain('other');
    expect(await faults()).toEqual([refused('sources.0.path', beside)]);
  });

  test('cannot leave contents/ by dots or a link (path traversal)', async () => {
    await start({});
    await symlink(outside, join(server.folder, 'contents/link'));
    const { folder } = server;
    await server.close();
    const dots = `contents/../../${outside}`;
    await start({ sources: [{ path: 'contents/link' }, { path: dots }] }, {}, folder);
    expect(await skills()).toEqual(own);
    expect((await faults()).map(({ field }) => field)).toEqual([
      'settings.sources.0.path',
      'settings.sources.1.path',
    ]);
  });

  test.each(['contents', 'contents/', 'contents/config', 'contents/Models', 'contents/.hidden'])(
    'cannot be %s, which contains something else',
    async (path) => {
      server = await startTestServer({
        files: {
          'config/skills.json': { settings: { sources: [{ path }] } },
          'SKILL.md': skillFile('contents', 'Everything.'),
          'config/SKILL.md': skillFile('config', 'Everything.'),
        },
      });
      expect(await skills()).toEqual(own);
      expect(await faults()).toMatchObject([{ field: 'settings.sources.0.path' }]);
    },
  );

  test('cannot be the data folder, nor contain it', async () => {
    await start({});
    const { folder } = server;
    await server.close();
    const data = join(folder, 'data');
    const paths = [data, join(data, 'history'), folder];
    await start(
      { sources: paths.map((path) => ({ path })) },
      { SKILLS_EXTRA_DIRS: folder },
      folder,
    );
    expect(await faults()).toEqual(paths.map((path, at) => refused(`sources.${at}.path`, path)));
    expect((await faults())[0]?.message).not.toContain('SKILLS_EXTRA_DIRS');
  });
});

test('a folder of local skills outside contents/ has no effect: contents/skills is used', async () => {
  await start({ skillsDirectory: outside });
  expect(await skills()).toEqual(own);
  expect(await faults()).toEqual([refused('skillsDirectory', outside)]);
  const { folder } = server;
  await server.close();
  await start({ skillsDirectory: outside }, { SKILLS_EXTRA_DIRS: outside }, folder);
  expect(await skills()).toEqual(['private']);
});

test('a file changed on disk is validated immediately', async () => {
  await start({});
  const settings = { sources: [{ path: outside }] };
  await writeFile(join(server.folder, 'contents/config/skills.json'), JSON.stringify({ settings }));
  await expect.poll(faults).toEqual([refused('sources.0.path', outside)]);
  expect(await skills()).toEqual(own);
});

test('a restored source exposes no folder of the host, and the plan names it', async () => {
  const admin = await start({});
  const zip = createZip({
    'contents/config/groups.json': defaultFiles['config/groups.json'],
    'contents/config/skills.json': { settings: { sources: [{ path: outside }] } },
  });
  const { plan } = await importBackup(admin, zip, '?dryRun=true');
  expect(plan.warnings).toContainEqual(expect.stringContaining(`read from ${outside}: `));
  await importBackup(admin, zip);
  expect(await skills()).toEqual(own);
  expect(await faults()).toEqual([refused('sources.0.path', outside)]);
});
