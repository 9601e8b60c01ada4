import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { afterEach, expect, test } from 'vitest';
import { exportBackup, importBackup, readFileTree } from '../../../testing/backup-calls.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
afterEach(() => server.close());

async function start() {
  server = await startTestServer();
  return { contents: join(server.folder, 'contents'), admin: await signInAdmin(server) };
}

const namesIn = (zip: Buffer) => new AdmZip(zip).getEntries().map(({ entryName }) => entryName);
const leftOutOf = (zip: Buffer) => {
  const manifest = JSON.parse(new AdmZip(zip).readAsText('manifest.json')) as {
    leftOut?: { path: string; message: string }[];
  };
  return (manifest.leftOut ?? []).map(({ path, message }) => `${path}: ${message}`);
};

async function appIds(visitor: Visitor): Promise<string[]> {
  const { items } = (await (await visitor('/api/apps')).json()) as { items: { id: string }[] };
  return items.map(({ id }) => id).sort();
}

const changesOf = ({
  added,
  changed,
  removed,
}: Record<'added' | 'changed' | 'removed', number>) => ({
  added,
  changed,
  removed,
});
const none = { added: 0, changed: 0, removed: 0 };

test('symlinked configuration files are backed up as their targets, as the server reads them', async () => {
  const { contents, admin } = await start();
  const outside = await temporaryFolder();
  await writeFiles(outside, { 'linked.json': { id: 'linked', name: 'Linked' } });
  await writeFiles(contents, { 'prompts/..v1/mounted.json': '{"id":"m","name":"M","prompt":"P"}' });
  await symlink('..v1', join(contents, 'prompts/..data'));
  await symlink('..data/mounted.json', join(contents, 'prompts/mounted.json'));
  await symlink(join(outside, 'linked.json'), join(contents, 'apps/linked.json'));
  await waitFor(async () => (await appIds(admin)).includes('linked'));

  const zip = await exportBackup(admin, '?only=apps,prompts');
  expect(namesIn(zip)).toEqual([
    'contents/apps/chat.json',
    'contents/apps/linked.json',
    'contents/prompts/mounted.json',
    'contents/prompts/summary.json',
    'manifest.json',
  ]);
  const { plan, snapshot } = await importBackup(admin, zip);

  expect(changesOf(plan)).toEqual(none);
  expect(await appIds(admin)).toEqual(['chat', 'linked']);
  await rm(join(contents, 'apps/linked.json'));
  await admin(`/api/admin/backup/snapshots/${snapshot}/restore`, { method: 'POST' });
  expect((await lstat(join(contents, 'apps/linked.json'))).isSymbolicLink()).toBe(true);
  expect(await appIds(admin)).toEqual(['chat', 'linked']);
  expect(await readdir(outside)).toEqual(['linked.json']);
});

test('links that lead outside, and special files, are reported as omitted, and a restore keeps them', async () => {
  const { contents, admin } = await start();
  const outside = await temporaryFolder();
  await writeFiles(outside, { 'SKILL.md': skillFile('far', 'Far away.'), 'secret.txt': 'secret' });
  const skill = join(contents, 'skills/meeting-notes');
  await symlink(join(outside, 'secret.txt'), join(skill, 'out.txt'));
  await symlink('nowhere.txt', join(skill, 'dangling.txt'));
  await symlink('../meeting-notes', join(skill, 'circle'));
  await symlink('references/format.md', join(skill, 'inside.md'));
  await symlink(outside, join(contents, 'skills/linked'));
  await symlink(outside, join(contents, 'outside'));
  await symlink(join(outside, 'secret.txt'), join(contents, 'apps/notes.txt'));
  await symlink(join(outside, 'secret.txt'), join(contents, '.env'));
  for (const pipe of ['skills/meeting-notes/pipe', 'apps/pipe']) {
    expect(spawnSync('sh', ['-c', 'mkfifo "$0"', join(contents, pipe)]).status).toBe(0);
  }
  const left = [
    'contents/apps/notes.txt',
    'contents/apps/pipe',
    'contents/outside',
    'contents/skills/linked',
    'contents/skills/meeting-notes/circle',
    'contents/skills/meeting-notes/dangling.txt',
    'contents/skills/meeting-notes/out.txt',
    'contents/skills/meeting-notes/pipe',
  ];

  const zip = await exportBackup(admin);

  expect(namesIn(zip)).toContain('contents/skills/meeting-notes/inside.md');
  expect(namesIn(zip).filter((name) => left.some((one) => name.startsWith(one)))).toEqual([]);
  expect(leftOutOf(zip).sort()).toEqual(
    left.map((path) => expect.stringMatching(`^${path}: It is (?:a link that leads|neither)`)),
  );
  const dry = await importBackup(admin, zip, '?dryRun=true');
  expect(changesOf(dry.plan)).toEqual(none);
  expect(dry.plan.warnings.sort()).toEqual(
    left.map((path) => expect.stringContaining(`${path} is not in the backup and stays as it is`)),
  );

  await importBackup(admin, zip);

  for (const path of [...left, 'contents/.env']) {
    const found = await lstat(join(server.folder, path));
    expect([path, found.isFIFO() || found.isSymbolicLink()]).toEqual([path, true]);
  }
  expect(await readFile(join(skill, 'out.txt'), 'utf8')).toBe('secret');
});

test('a restore keeps newer files that cannot be in a backup, unless they block what it brings', async () => {
  const { contents, admin } = await start();
  const outside = await temporaryFolder();
  const zip = await exportBackup(admin);
  await rm(join(contents, 'skills/release-notes'), { recursive: true });
  await symlink(outside, join(contents, 'skills/release-notes'));
  await symlink(outside, join(contents, 'skills/late'));

  const { plan } = await importBackup(admin, zip);

  expect(plan.warnings).toEqual([
    expect.stringContaining('contents/skills/late cannot be in a backup and stays as it is'),
  ]);
  expect((await readdir(join(contents, 'skills'))).sort()).toEqual([
    'late',
    'meeting-notes',
    'release-notes',
  ]);
  expect(await readdir(join(contents, 'skills/release-notes'))).toEqual(['SKILL.md']);
});

test('of files that differ only in case, a restore keeps the one that is not in the backup', async () => {
  const { contents, admin } = await start();
  await writeFiles(contents, {
    'skills/z/SKILL.md': skillFile('z', 'The last.'),
    'skills/z/x.txt': 'small',
    'skills/z/X.TXT': 'large',
    'skills/z/sub/con.txt': 'a name that not every system has',
    'pages/a.md': '1',
    'pages/A.md': '2',
  });
  const before = await readFileTree(contents);
  const zip = await exportBackup(admin);

  const { plan, snapshot } = await importBackup(admin, zip);

  expect(changesOf(plan)).toEqual(none);
  expect(plan.warnings).toHaveLength(3);
  expect(await readFileTree(contents)).toEqual(before);
  await mkdir(join(contents, 'skills/new'));
  await admin(`/api/admin/backup/snapshots/${snapshot}/restore`, { method: 'POST' });
  expect(await readFileTree(contents)).toEqual(before);
});

test("a skill's own files are backed up whatever their names, and temporary files never", async () => {
  const { contents, admin } = await start();
  const own = {
    'skills/meeting-notes/page.tmp': 'page',
    'skills/meeting-notes/.knowhow-restore/a.md': 'a',
    'skills/meeting-notes/.knowhow-staging/a.md': 'a',
    'pages/draft.tmp': 'draft',
  };
  const passing = `apps/chat.json.${randomUUID()}.tmp`;
  await writeFiles(contents, { ...own, [passing]: '{', 'skills/.knowhow-staging/a': 'a' });
  const before = await readFileTree(contents);
  const zip = await exportBackup(admin);
  const names = namesIn(zip);
  expect(names).toEqual(expect.arrayContaining(Object.keys(own).map((one) => `contents/${one}`)));
  expect(names).not.toContain(`contents/${passing}`);
  expect(names).not.toContain('contents/skills/.knowhow-staging/a');

  const { plan } = await importBackup(admin, zip);

  expect({ ...changesOf(plan), warnings: plan.warnings }).toEqual({ ...none, warnings: [] });
  const { 'skills/.knowhow-staging/a': _, ...after } = before;
  expect(await readFileTree(contents)).toEqual(after);
});

test('a file name that is not UTF-8 is reported and kept, also in a replaced folder', async () => {
  const { contents, admin } = await start();
  const paths = ['skills/meeting-notes', 'pages', 'apps', 'skills'];
  await writeFiles(contents, { 'pages/a.md': 'a' });
  const oddIn = (path: string, name: string) =>
    Buffer.concat([Buffer.from(join(contents, path, '/')), Buffer.from(name, 'latin1')]);
  for (const path of paths) {
    await writeFile(oddIn(path, 'caf\xe9'), 'one');
    await writeFile(oddIn(path, 'caf\xe8'), 'two');
    await mkdir(oddIn(path, '\xe9'));
    await writeFile(oddIn(`${path}/`, '\xe9/\xe8'), 'three');
  }
  const check = async () => {
    for (const path of paths) {
      const names = ['caf\xe9', 'caf\xe8', '\xe9/\xe8'].map((name) => oddIn(path, name));
      const texts = await Promise.all(names.map((name) => readFile(name, 'utf8')));
      expect([path, ...texts]).toEqual([path, 'one', 'two', 'three']);
    }
  };

  const zip = await exportBackup(admin);
  expect(leftOutOf(zip)).toContain('contents/pages/caf\uFFFD: The name is not in UTF-8.');
  const { plan, snapshot } = await importBackup(admin, zip);

  expect(changesOf(plan)).toEqual(none);
  for (const path of paths) {
    const warning = `contents/${path}/caf\uFFFD is not in the backup and stays as it is`;
    expect(plan.warnings).toContainEqual(expect.stringContaining(warning));
  }
  await check();
  await admin(`/api/admin/backup/snapshots/${snapshot}/restore`, { method: 'POST' });
  await check();
});

test('files omitted from a backup are kept even if a later backup could contain them', async () => {
  const { contents, admin } = await start();
  const link = join(contents, 'skills/linked');
  await symlink(await temporaryFolder(), link);
  const zip = await exportBackup(admin);
  await rm(link);
  await writeFiles(link, { 'SKILL.md': skillFile('linked', 'No link any more.') });

  const { plan } = await importBackup(admin, zip);

  expect(changesOf(plan)).toEqual(none);
  expect(await readdir(link)).toEqual(['SKILL.md']);
});
