import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { exportBackup, importBackup, sendBackup } from '../../../testing/backup-calls.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import { defaultFiles, startTestServer } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

const path = '/api/admin/skills/meeting-notes/files/SKILL.md';
const told = (description: string) => skillFile('meeting-notes', description);

test('propagates admin changes to other nodes, and rejects one of two conflicting changes', async () => {
  const nodes = await createNodes();
  const [one, other] = [await nodes.start(), await nodes.start()];
  const [here, there] = [await signInAdmin(one), await signInAdmin(other)];
  const put = (admin: typeof here, text: string, checksum?: string) =>
    admin(path, {
      method: 'PUT',
      body: told(text),
      headers: checksum === undefined ? {} : { 'If-Match': `"${checksum}"` },
    });
  const seen = async (admin: typeof here) => {
    const answer = await admin('/api/admin/skills/meeting-notes');
    return (await answer.json()) as { description: string; checksum: string };
  };
  const before = performance.now();
  expect((await put(here, 'Told here.')).status).toBe(200);
  await waitFor(async () => (await seen(there)).description === 'Told here.');
  expect(performance.now() - before).toBeLessThan(2000);
  const { checksum } = await seen(there);
  const both = await Promise.all([
    put(here, 'Told by one.', checksum),
    put(there, 'Told by the other.', checksum),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const won = both[0]?.status === 200 ? 'Told by one.' : 'Told by the other.';
  await waitFor(async () => (await seen(here)).description === won);
  await waitFor(async () => (await seen(there)).description === won);
  const renamed = { ...defaultFiles['apps/chat.json'], name: 'Renamed' };
  const answer = await here('/api/admin/apps/chat', { method: 'PUT', json: renamed });
  expect(answer.status).toBe(200);
  const apps = async () => (await there('/api/apps')).text();
  await waitFor(async () => (await apps()).includes('Renamed'));
  expect((await there('/api/admin/skills/release-notes', { method: 'DELETE' })).status).toBe(200);
  await waitFor(async () => (await here('/api/admin/skills/release-notes')).status === 404);
});

test('keeps each of many concurrent writes on two nodes, and mistakes none for a manual change', async () => {
  const nodes = await createNodes();
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const servers = [await nodes.start({ log }), await nodes.start({ log })];
  const admins = await Promise.all(servers.map(signInAdmin));
  const files = Array.from({ length: 24 }, (_, number) => `references/${number}.md`);
  const writes = files.map((file, number) =>
    admins[number % 2]?.(`/api/admin/skills/meeting-notes/files/${file}`, {
      method: 'PUT',
      body: `Number ${number}`,
    }),
  );
  const answers = await Promise.all(writes);
  expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
  for (const { folder } of servers) {
    const read = (file: string) =>
      readFile(join(folder, 'contents/skills/meeting-notes', file), 'utf8').catch(() => undefined);
    await waitFor(async () => (await Promise.all(files.map(read))).every(isNumber));
  }
  expect(lines).toEqual([]);
});

const isNumber = (text: string | undefined, number: number) => text === `Number ${number}`;

test('syncs a node with the database at startup and reverts manual changes', async () => {
  const nodes = await createNodes();
  const one = await nodes.start();
  const admin = await signInAdmin(one);
  const file = join(one.folder, 'contents/skills/meeting-notes/SKILL.md');
  const kept = await readFile(file, 'utf8');
  await writeFile(file, told('Changed by hand.'));
  await waitFor(async () => (await readFile(file, 'utf8')) === kept);
  await writeFiles(join(one.folder, 'contents'), { 'apps/own.json': { id: 'own', name: 'Own' } });
  await waitFor(async () => (await admin('/api/admin/apps/own')).status === 404);
  await one.close();
  await rm(file);
  const left = `${file}.19336ab3-d2d8-4195-8f08-e5a742514d06.tmp`;
  await writeFile(left, 'Half of');
  const again = await nodes.start({ folder: one.folder });
  expect(await readFile(file, 'utf8')).toBe(kept);
  await expect(readFile(left)).rejects.toThrow('ENOENT');
  expect((await again.visitor()('/api/ready')).status).toBe(200);
});

test('propagates a restored backup to all nodes', async () => {
  const nodes = await createNodes();
  const here = await signInAdmin(await nodes.start());
  const there = await signInAdmin(await nodes.start());
  const zip = await exportBackup(here, '?data=true');
  expect((await there('/api/admin/skills/release-notes', { method: 'DELETE' })).status).toBe(200);
  await waitFor(async () => (await here('/api/admin/skills/release-notes')).status === 404);
  expect((await importBackup(there, zip)).restored).toBe(true);
  const admin = await signInAdmin(await nodes.start());
  expect((await admin('/api/admin/skills/release-notes')).status).toBe(200);
  const folder = await temporaryFolder();
  await nodes.run('pull', folder, '--yes');
  expect(await readFile(join(folder, 'skills/release-notes/SKILL.md'), 'utf8')).toBe(
    defaultFiles['skills/release-notes/SKILL.md'],
  );
});

test('restores neither files nor users if the database rejects the files, and succeeds on the next attempt', async () => {
  const nodes = await createNodes();
  const here = await signInAdmin(await nodes.start());
  const there = await signInAdmin(await nodes.start());
  const anna = {
    username: 'anna',
    name: 'Anna',
    password: 'a long password',
    groups: ['authenticated'],
  };
  const zip = await exportBackup(here, '?data=true');
  expect((await here('/api/admin/users', { json: anna })).status).toBe(200);
  expect((await there('/api/admin/skills/release-notes', { method: 'DELETE' })).status).toBe(200);
  const client = new pg.Client({ connectionString: nodes.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const fail = `begin raise exception 'no room' using errcode = '53100'; end`;
  await client.query(`create function fail() returns trigger language plpgsql as $$ ${fail} $$;
    create trigger failing before update on content_state execute function fail()`);
  expect((await sendBackup(there, zip)).status).toBe(503);
  const users = async () => (await here('/api/admin/users')).text();
  const skill = '/api/admin/skills/release-notes';
  expect(await users()).toContain('anna');
  expect((await there(skill)).status).toBe(404);
  await client.query('drop trigger failing on content_state');
  expect((await importBackup(there, zip)).restored).toBe(true);
  expect(await users()).not.toContain('anna');
  expect((await there(skill)).status).toBe(200);
  await waitFor(async () => (await here(skill)).status === 200);
});

test('restores a backup into the database by command while no server runs', async () => {
  const nodes = await createNodes();
  const one = await nodes.start();
  const admin = await signInAdmin(one);
  const file = join(await temporaryFolder(), 'backup.zip');
  await writeFile(file, await exportBackup(admin, '?data=true'));
  expect((await nodes.run('restore', file, '--yes')).error).toContain('A server runs');
  const skill = '/api/admin/skills/release-notes';
  expect((await admin(skill, { method: 'DELETE' })).status).toBe(200);
  await one.close();
  expect(await nodes.run('restore', file, '--yes')).toMatchObject({ code: 0, error: '' });
  const again = await signInAdmin(await nodes.start({ folder: one.folder }));
  expect((await again(skill)).status).toBe(200);
});

test('pushes and pulls differences of a folder, and rejects what would break the installation', async () => {
  const nodes = await createNodes();
  const server = await nodes.start();
  const admin = await signInAdmin(server);
  const folder = await temporaryFolder();
  expect(await nodes.run('pull', folder, '--yes')).toMatchObject({ code: 0 });
  await writeFiles(folder, {
    'skills/new/SKILL.md': skillFile('new', 'A new one.'),
    '.git/a': 'b',
  });
  await rm(join(folder, 'skills/release-notes'), { recursive: true });
  const tried = await nodes.run('push', folder, '--dry-run');
  expect(tried.out).toContain('1 file added, 0 changed, 1 removed');
  expect(tried.out).toMatch(/removed +skills\/release-notes\/SKILL\.md/);
  expect((await nodes.run('push', folder)).error).toContain('Add --yes to push without asking');
  expect((await admin('/api/admin/skills/new')).status).toBe(404);
  expect((await nodes.run('push', folder, '--yes')).out).toContain('Pushed: generation 2.');
  await waitFor(async () => (await admin('/api/admin/skills/new')).status === 200);
  expect((await admin('/api/admin/skills/release-notes')).status).toBe(404);
  await writeFiles(folder, { 'config/groups.json': { groups: {} }, 'apps/bad.json': '{' });
  const elsewhere = { settings: { skillsDirectory: 'contents/own' } };
  await writeFiles(folder, { 'config/skills.json': elsewhere });
  const refused = await nodes.run('push', folder, '--yes');
  expect(refused.code).toBe(1);
  expect(refused.error).toMatch(/^Nothing was pushed\.$/m);
  expect(refused.error).toMatch(/^contents\/apps\/bad\.json: /m);
  expect(refused.error).toMatch(/^contents\/own: Servers share the skills in contents\/skills/m);
  expect(refused.error).toMatch(/^No user would have all admin permissions/m);
});

test('a push with --if-empty does not change a database that has a configuration', async () => {
  const nodes = await createNodes();
  const folder = await temporaryFolder();
  await writeFiles(folder, { 'apps/other.json': { id: 'other', name: 'Other' } });
  const pushed = await nodes.run('push', folder, '--yes', '--if-empty');
  expect(pushed).toMatchObject({ code: 0, error: '' });
  expect(pushed.out).toContain('Nothing was pushed.');
  const copy = await temporaryFolder();
  await nodes.run('pull', copy, '--yes');
  expect(await readdir(join(copy, 'apps'))).toEqual(['chat.json']);
});

test('tells a node with an empty database to push first', async () => {
  const folder = await temporaryFolder();
  const start = startTestServer({
    folder,
    environment: { CONTENTS_DIR: join(folder, 'nowhere') },
  });
  await expect(start).rejects.toThrow(
    /nowhere is not there\. .*run "knowhow push \.\/contents" first/,
  );
});

test('refuses to start a node that does not share everything', async () => {
  const nodes = await createNodes();
  const refusal = (options: Parameters<typeof nodes.start>[0]) =>
    nodes.start(options).then(
      () => 'It has started.',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  expect(await refusal({ environment: { SECRET_KEY: '' } })).toMatch(/^SECRET_KEY is missing/);
  await nodes.start();
  const SECRET_KEY = randomBytes(32).toString('base64');
  expect(await refusal({ environment: { SECRET_KEY } })).toMatch(/^SECRET_KEY is wrong/);
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), { 'apps/own.json': { id: 'own', name: 'Own' } });
  expect(await refusal({ folder })).toMatch(/contains others: apps\/own\.json/);
  // With a folder as the source of truth there is only one server, and a second one refuses to start.
  const alone = await startTestServer();
  expect(alone.url).toBeDefined();
  await alone.close();
});

test("keeps an edit of a node's copy as a draft that no node offers, if folders are reviewed", async () => {
  const config = { settings: { publishing: { files: 'review' } } };
  const nodes = await createNodes({ 'config/skills.json': config });
  const servers = [await nodes.start(), await nodes.start()] as const;
  const [here, there] = [await signInAdmin(servers[0]), await signInAdmin(servers[1])];
  const isReviewed = async (admin: typeof here) =>
    (await (await admin('/api/admin/status')).text()).includes('"files":"review"');
  await waitFor(async () => (await isReviewed(here)) && (await isReviewed(there)));
  const file = join(servers[0].folder, 'contents/skills/meeting-notes/SKILL.md');
  await writeFile(file, told('Changed by hand.'));
  const draft = async () => (await there('/api/skill-drafts/meeting-notes/files/SKILL.md')).text();
  await waitFor(async () => (await draft()).includes('Changed by hand.'));
  await waitFor(async () => (await readFile(file, 'utf8')).includes('into decisions'));
  for (const admin of [here, there]) {
    const skill = await (await admin('/api/admin/skills/meeting-notes')).text();
    expect(skill).toContain('Turns notes into decisions.');
    expect(skill).not.toContain('Changed by hand.');
  }
});
