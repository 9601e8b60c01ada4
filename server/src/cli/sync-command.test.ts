import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../testing/listen-on.ts';
import { makeKey } from '../testing/make-key.ts';
import { runCommand } from '../testing/run-command.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { startTestServer, type TestServer, type Visitor } from '../testing/start-test-server.ts';
import { waitFor } from '../testing/wait-for.ts';
import { temporaryFolder } from '../testing/write-files.ts';

let server: TestServer;
let admin: Visitor;
let key: string;
let folder: string;

beforeEach(async () => {
  folder = join(await temporaryFolder(), 'skills');
  server = await startTestServer();
  admin = await signInAdmin(server);
  ({ key } = await makeKey(server, admin, ['skills']));
});
afterEach(() => server.close());

const sync = (...args: string[]) =>
  runCommand(['sync', folder, '--from', server.url, ...args], { key: () => key });
const readMain = (name: string) => readFile(join(folder, name, 'SKILL.md'), 'utf8');
const publish = (name: string, text: string) =>
  admin(`/api/admin/skills/${name}/files/SKILL.md`, { method: 'PUT', body: text });

test('sync writes what the key may use, and then only what has changed', async () => {
  const first = await sync();
  expect(first).toMatchObject({ code: 0, error: '' });
  expect(first.out).toContain('2 skills: 2 added, 0 updated, 0 removed, 0 kept, 0 failed.');
  expect((await readdir(folder)).sort()).toEqual([
    'meeting-notes',
    'release-notes',
    'skills-lock.json',
  ]);
  expect(await readFile(join(folder, 'meeting-notes/references/format.md'), 'utf8')).toBe(
    'One decision a line.\n',
  );
  const lock = await readFile(join(folder, 'skills-lock.json'), 'utf8');
  expect((await sync()).out).toBe('2 skills: 0 added, 0 updated, 0 removed, 0 kept, 0 failed.');
  expect(await readFile(join(folder, 'skills-lock.json'), 'utf8')).toBe(lock);

  const changed = skillFile('release-notes', 'Writes better release notes.');
  await publish('release-notes', changed);
  const next = await sync();
  expect(next.out).toMatch(/^updated {2}release-notes/);
  expect(await readMain('release-notes')).toBe(changed);
});

test('sync removes a skill that was blocked, but not one that was edited in the folder', async () => {
  await sync();
  await admin('/api/admin/skills/release-notes/block', {
    method: 'PUT',
    json: { reason: 'Wrong.' },
  });
  expect((await sync()).out).toMatch(/^removed {2}release-notes/);
  expect(await readdir(folder)).not.toContain('release-notes');

  await admin('/api/admin/skills/release-notes/block', { method: 'DELETE' });
  await writeFile(join(folder, 'meeting-notes/own.md'), 'Mine.');
  await publish('meeting-notes', skillFile('meeting-notes', 'Is new.'));
  const edited = await sync();
  expect(edited.code).toBe(1);
  expect(edited.out).toMatch(/^kept +meeting-notes +It was edited here/m);
  expect(await readMain('meeting-notes')).toContain('Turns notes');
  await admin('/api/admin/skills/meeting-notes/block', {
    method: 'PUT',
    json: { reason: 'Wrong.' },
  });
  expect((await sync()).out).toContain('It is no longer published, but was edited here.');
  expect(await readFile(join(folder, 'meeting-notes/own.md'), 'utf8')).toBe('Mine.');
});

test('sync does not count an .env file as an edit, and never deletes it', async () => {
  await sync();
  const env = join(folder, 'meeting-notes/.env');
  await writeFile(env, 'TOKEN=1');
  expect(await sync()).toMatchObject({ code: 0 });
  await publish('meeting-notes', skillFile('meeting-notes', 'Is new.'));
  expect((await sync()).out).toMatch(/^kept +meeting-notes +It has files that may contain/m);
  await admin('/api/admin/skills/meeting-notes/block', { method: 'PUT', json: { reason: 'No.' } });
  expect((await sync()).out).toMatch(/^kept +meeting-notes +It is no longer published\. It has/m);
  expect(await readFile(env, 'utf8')).toBe('TOKEN=1');
});

test('sync leaves a folder that it did not write, and adopts one with the same files', async () => {
  await sync();
  await rm(join(folder, 'skills-lock.json'));
  await writeFile(join(folder, 'meeting-notes/SKILL.md'), 'Mine.');
  const result = await sync();
  expect(result.code).toBe(1);
  expect(result.out).toMatch(/kept +meeting-notes +There is a folder of this name/);
  expect(result.out).toMatch(/updated +release-notes/);
  expect(await readMain('meeting-notes')).toBe('Mine.');
});

test('sync --dry-run says what it would do, and writes nothing', async () => {
  const result = await sync('--dry-run');
  expect(result).toMatchObject({ code: 0 });
  expect(result.out).toMatch(/added {2}meeting-notes[\s\S]*2 added[\s\S]*Nothing was written\.$/);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('sync says what is wrong with the address, the key or the folder', async () => {
  await sync();
  const own = key;
  key = 'wrong';
  expect((await sync()).error).toMatch(/KNOWHOW_KEY is not an API key/);
  key = `${own.slice(0, -1)}${own.endsWith('a') ? 'b' : 'a'}`;
  expect(await sync()).toMatchObject({
    code: 2,
    error: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:\d+ answered 401\. The key in KNOWHOW_KEY was deleted/,
    ),
  });
  expect(await readdir(folder)).toContain('meeting-notes');
  const other = join(folder, 'other');
  const from = (address: string) => runCommand(['sync', other, '--from', address], {});
  expect((await runCommand(['sync', folder], {})).error).toMatch(/Say from where/);
  expect((await from('ftp://127.0.0.1/')).error).toMatch(/Say from where/);
  expect((await from('http://127.0.0.1:9')).error).toMatch(/cannot be read/);
});

test('sync refuses a lock file that it cannot read, and one of another installation', async () => {
  await sync();
  const path = join(folder, 'skills-lock.json');
  const lock = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, '{"skills": {"../evil": {}}}');
  expect((await sync()).error).toMatch(/cannot be read\. Repair it/);
  await writeFile(path, JSON.stringify({ ...lock, source: 'https://other.example/' }));
  expect((await sync()).error).toMatch(/is synced with https:\/\/other\.example/);
});

test('sync removes nothing if the server lists no skills at all', async () => {
  await sync();
  const lock = await readFile(join(folder, 'skills-lock.json'), 'utf8');
  for (const name of ['meeting-notes', 'release-notes']) {
    await admin(`/api/admin/skills/${name}/block`, { method: 'PUT', json: { reason: 'Wrong.' } });
  }
  expect((await sync()).error).toMatch(/lists no skills\. Sync again later/);
  expect(await readFile(join(folder, 'skills-lock.json'), 'utf8')).toBe(lock);
  expect(await readdir(folder)).toContain('meeting-notes');
});

test('sync removes nothing if the key is missing that the folder was synced with', async () => {
  await sync();
  const args = ['sync', folder, '--from', server.url];
  const result = await runCommand(args, { key: () => undefined });
  expect(result).toMatchObject({ code: 2, error: expect.stringMatching(/KNOWHOW_KEY is empty/) });
  expect(await readdir(folder)).toContain('meeting-notes');
});

test('sync says that a folder cannot be written', async () => {
  await writeFile(folder, 'A file.');
  expect(await sync()).toMatchObject({
    code: 2,
    error: expect.stringMatching(/cannot be written \(E\w+\)\. Check it/),
  });
});

test('sync reads a skill with a file of 8 MB, which an import would refuse', async () => {
  await writeFile(
    join(server.folder, 'contents/skills/meeting-notes/data.bin'),
    Buffer.alloc(8_000_000, 'a'),
  );
  await waitFor(async () => (await sync()).code === 0);
  expect((await readFile(join(folder, 'meeting-notes/data.bin'))).length).toBe(8_000_000);
});

/** Another server, with an index of these entries. */
async function syncFrom(skills: unknown, answers: Record<string, string> = {}) {
  const other = createServer((request, response) => {
    const path = request.url ?? '';
    const body = path.endsWith('/index.json')
      ? JSON.stringify({ $schema: 'x', skills })
      : answers[path];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  const port = await listenOn(other);
  onTestFinished(() => void other.close());
  return runCommand(['sync', folder, '--from', `http://127.0.0.1:${port}`], {});
}

test.each([
  [
    'a name that leads out of the folder',
    { name: '../evil' },
    /is not the name|not the name of a skill/,
  ],
  ['an address on another host', { url: 'http://127.0.0.1:1/SKILL.md' }, /another host/],
  ['bytes with another digest', {}, /do not have the digest/],
  ['an address without a file', { url: 'none' }, /answered 404/],
])('sync refuses %s, and takes nothing of it', async (_, changed, message) => {
  const entry = {
    ...{ name: 'fine', type: 'skill-md', description: 'Is fine.' },
    ...{ url: '/fine', digest: `sha256:${'0'.repeat(64)}` },
    ...changed,
  };
  const result = await syncFrom([entry], { '/fine': skillFile('fine', 'Is fine.') });
  expect(result.code).toBe(1);
  expect(result.out).toMatch(/^failed/);
  expect(result.out).toMatch(message);
  expect(await readdir(folder)).toEqual(['skills-lock.json']);
});

test('sync refuses what is no index', async () => {
  const result = await syncFrom('none');
  expect(result.code).toBe(2);
  expect(result.error).toMatch(/is not an index of Agent Skills Discovery 0\.2\.0/);
});
