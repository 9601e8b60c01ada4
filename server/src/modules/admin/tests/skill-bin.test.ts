import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type AuditEntry, adminApi } from '@knowhow/shared/config/admin';
import { adminAppsApi } from '@knowhow/shared/config/admin-config';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillBinApi } from '@knowhow/shared/skills/skill-bin';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  server = await startTestServer({
    files: {
      'apps/desk.json': { id: 'desk', name: 'Desk', skills: ['brew', 'meeting-notes'] },
      'config/groups.json': {
        groups: {
          admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
          stewards: { id: 'stewards', name: 'Stewards', permissions: { adminAccess: ['skills'] } },
        },
      },
      'skills/brew/SKILL.md': skillFile('brew', 'Brews coffee.'),
      'skills/brew/notes.md': 'Slowly.',
      'config/skills.json': {
        skills: { brew: { priority: 7, overrides: { displayName: 'Coffee' } } },
      },
    },
  });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const bin = (query = '') =>
  parseAnswer(skillBinApi.list.response, admin(`/api/admin/skills/-/bin${query}`));
const binned = async () => (await bin()).items.map(({ name }) => name);
const change = (what: 'restore' | 'delete' | 'empty', json: object) =>
  parseAnswer(skillBinApi.restore.response, admin(`/api/admin/skills/-/bin/${what}`, { json }));
const remove = (name: string) => admin(`/api/admin/skills/${name}`, { method: 'DELETE' });
const skill = (name: string) =>
  parseAnswer(adminSkillsApi.get.response, admin(`/api/admin/skills/${name}`));
const versions = (name: string) =>
  parseAnswer(skillVersionsApi.list.response, admin(`/api/skill-versions/${name}`));
const audit = async (): Promise<AuditEntry[]> =>
  (await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?kind=skill'))).items;
const deskSkills = async () =>
  (await parseAnswer(adminAppsApi.get.response, admin('/api/admin/apps/desk'))).config?.skills;
const create = (name: string) =>
  admin('/api/admin/skills', { json: { name, description: 'Is new.', body: 'New.' } });

async function startAgain(settings: object): Promise<void> {
  const { folder } = server;
  await server.close();
  await writeFile(join(folder, 'contents/config/skills.json'), JSON.stringify({ settings }));
  server = await startTestServer({ folder });
  admin = await signInAdmin(server);
}

async function blobs(): Promise<number> {
  const database = await openTestDatabase(join(server.folder, 'data'));
  try {
    return (await database.selectFrom('skill_blobs').select('digest').execute()).length;
  } finally {
    await database.destroy();
  }
}

test('a deleted skill is in the bin, and comes back with everything it had', async () => {
  await admin('/api/admin/skills/brew/files/notes.md', { method: 'PUT', body: 'Quickly.' });
  await remove('brew');
  const list = await bin();
  expect(list).toMatchObject({ total: 1, all: 1, days: 30 });
  expect(list.items).toMatchObject([
    {
      name: 'brew',
      displayName: 'Coffee',
      number: 3,
      deletedBy: 'Admin',
      versions: 2,
      files: 2,
      apps: ['Desk'],
      groups: [],
      hasSettings: true,
    },
  ]);
  const [item] = list.items;
  const kept = Date.parse(item?.removedAt ?? '') - Date.parse(item?.deletedAt ?? '');
  expect(kept / 86_400_000).toBeCloseTo(30, 2);
  expect(await deskSkills()).toEqual(['meeting-notes']);

  expect(await change('restore', { names: ['brew'] })).toEqual({ done: ['brew'], failed: [] });
  expect(await binned()).toEqual([]);
  expect(await skill('brew')).toMatchObject({ displayName: 'Coffee', priority: 7, files: 2 });
  expect(await deskSkills()).toEqual(['brew', 'meeting-notes']);
  expect((await versions('brew')).items.map(({ number }) => number)).toEqual([4, 3, 2, 1]);
  expect((await audit())[0]).toMatchObject({ action: 'restored', target: 'brew' });
});

test('the bin is searched by name and title, in pages, the last deleted first', async () => {
  for (const name of ['one-tea', 'two-tea']) {
    await create(name);
    await remove(name);
  }
  await remove('brew');
  expect(await binned()).toEqual(['brew', 'two-tea', 'one-tea']);
  expect((await bin('?query=COFF')).items.map(({ name }) => name)).toEqual(['brew']);
  const first = await bin('?query=tea&limit=1');
  expect(first).toMatchObject({ items: [{ name: 'two-tea' }], total: 2, all: 3 });
  const next = await bin(`?query=tea&limit=1&cursor=${first.nextCursor}`);
  expect(next.items).toMatchObject([{ name: 'one-tea' }]);
  expect(next.nextCursor).toBeUndefined();
});

test('a permanently deleted skill is gone with its versions, and its numbers are not used again', async () => {
  const before = await blobs();
  await create('gone');
  await remove('gone');
  expect(await blobs()).toBe(before + 1);
  expect(await change('delete', { skills: [{ name: 'gone', number: 1 }] })).toEqual({
    done: [],
    failed: [{ name: 'gone', message: expect.stringContaining('Load the bin again') }],
  });
  expect(await change('delete', { skills: [{ name: 'gone', number: 2 }] })).toMatchObject({
    done: ['gone'],
  });
  expect(await binned()).toEqual([]);
  expect(await blobs()).toBe(before);
  expect((await admin('/api/skill-versions/gone/1')).status).toBe(404);
  expect((await admin('/api/skill-versions/gone/1/restore', { method: 'POST' })).status).toBe(404);
  expect(await change('restore', { names: ['gone'] })).toMatchObject({
    failed: [{ name: 'gone' }],
  });
  expect((await audit())[0]).toMatchObject({
    action: 'purged',
    target: 'gone',
    userName: 'Admin',
    after: { skills: ['gone'] },
  });
  await create('gone');
  expect((await versions('gone')).items[0]?.number).toBe(3);
});

test('emptying the bin leaves what was deleted since the list was read', async () => {
  await remove('brew');
  const until = (await bin()).items[0]?.deletedAt;
  await remove('meeting-notes');
  expect(await change('empty', { until: until ?? '' })).toEqual({ done: ['brew'], failed: [] });
  expect(await binned()).toEqual(['meeting-notes']);
});

test('a skill that was created again is not replaced, and the others are restored', async () => {
  await create('spare-tea');
  await remove('spare-tea');
  await remove('brew');
  await create('brew');
  expect(await binned()).toEqual(['spare-tea']);
  const result = await change('restore', { names: ['brew', 'spare-tea'] });
  expect(result.done).toEqual(['spare-tea']);
  expect(result.failed).toEqual([
    { name: 'brew', message: expect.stringContaining('under "Versions" on its page') },
  ]);
  expect(await skill('brew')).toMatchObject({ description: 'Is new.' });
  expect((await audit())[0]).toMatchObject({ action: 'restored', target: 'spare-tea' });
});

test('a folder that was removed by hand is in the bin, without a person', async () => {
  await versions('brew');
  await rm(join(server.folder, 'contents/skills/brew'), { recursive: true });
  await vi.waitFor(async () => expect(await binned()).toEqual(['brew']), { timeout: 15_000 });
  const [item] = (await bin()).items;
  expect(item?.deletedBy).toBeUndefined();
  expect(item?.versions).toBe(1);
  await change('restore', { names: ['brew'] });
  expect(await skill('brew')).toMatchObject({ priority: 7, files: 2 });
});

test('a folder that was removed while the server was stopped is in the bin', async () => {
  await versions('brew');
  const { folder } = server;
  await server.close();
  await rm(join(folder, 'contents/skills/brew'), { recursive: true });
  server = await startTestServer({ folder });
  admin = await signInAdmin(server);
  await vi.waitFor(async () => expect(await binned()).toEqual(['brew']), { timeout: 15_000 });
});

test('a skill that a restored backup does not contain is in the bin', async () => {
  const backup = await exportBackup(admin, '');
  await create('later');
  await importBackup(admin, backup);
  await vi.waitFor(async () => expect(await binned()).toEqual(['later']), { timeout: 15_000 });
});

test('a permanent deletion includes drafts, reviews and their comments', async () => {
  const submit = async (text: string) => {
    await admin('/api/skill-drafts/brew/files/notes.md', { method: 'PUT', body: text });
    const json = { message: 'Changes notes.' };
    const answer = await admin('/api/skill-drafts/brew/submit', { json });
    return ((await answer.json()) as { id: string }).id;
  };
  const approved = `/api/skill-reviews/${await submit('LEAKED-1')}`;
  await admin(`${approved}/comments`, { json: { text: 'Why?' } });
  expect((await admin(`${approved}/approve`, { json: {} })).status).toBe(200);
  const open = `/api/skill-reviews/${await submit('LEAKED-2')}`;
  await remove('brew');
  const [deleted] = (await bin()).items;
  await change('delete', { skills: [{ name: 'brew', number: deleted?.number }] });
  for (const path of [approved, open, `${approved}/comments`, '/api/skill-drafts/brew']) {
    expect([path, (await admin(path)).status]).toEqual([path, 404]);
  }
});

test('the date of the permanent deletion does not move', async () => {
  await remove('brew');
  const dates = async () => (await bin()).items.map(({ removedAt }) => removedAt);
  const first = await dates();
  await setTimeout(30);
  expect(await dates()).toEqual(first);
});

test('a skill whose required checks fail is restored from the bin with a reason', async () => {
  await remove('brew');
  await startAgain({ publishing: { checks: { secrets: 'required' } } });
  const key = `sk-ant-api03-${'aB3dE6gH'.repeat(10)}`;
  const reason = 'The key is an example.';
  await change('restore', { names: ['brew'] });
  const written = await admin(
    `/api/admin/skills/brew/files/notes.md?override=${encodeURIComponent(reason)}`,
    { method: 'PUT', body: key },
  );
  expect(written.status).toBe(200);
  await remove('brew');
  const refused = await change('restore', { names: ['brew'] });
  expect(refused).toMatchObject({ done: [], failed: [{ name: 'brew', checks: ['secrets'] }] });
  const json = { names: ['brew', 'none'], override: { reason } };
  expect((await change('restore', json)).done).toEqual(['brew']);
  expect((await audit())[0]).toMatchObject({ action: 'restored', after: { override: { reason } } });
  expect((await versions('brew')).items[0]?.override).toMatchObject({ reason });
});

test('a backup with data contains the bin', async () => {
  await remove('brew');
  const backup = await exportBackup(admin, '?data=true');
  await change('empty', { until: new Date().toISOString() });
  expect(await binned()).toEqual([]);
  await importBackup(admin, backup);
  expect(await binned()).toEqual(['brew']);
  await change('restore', { names: ['brew'] });
  expect(await skill('brew')).toMatchObject({ displayName: 'Coffee', priority: 7 });
});

test('skills are deleted permanently when their time has ended, not before', async () => {
  await remove('brew');
  const momentary = { bin: { days: 1e-7 } };
  await startAgain({ bin: { days: 1 } });
  await vi.waitFor(async () => expect(await binned()).toEqual(['brew']));
  await startAgain({ bin: { days: 0 } });
  const [kept] = (await bin()).items;
  expect([kept?.name, kept?.removedAt]).toEqual(['brew', undefined]);
  await startAgain(momentary);
  await vi.waitFor(async () => expect(await binned()).toEqual([]), { timeout: 10_000 });
  expect((await audit())[0]).toMatchObject({ action: 'purged', target: 'brew' });
  expect((await admin('/api/skill-versions/brew/1')).status).toBe(404);
});

test('who may not publish neither restores nor deletes permanently', async () => {
  await remove('brew');
  await startAgain({ publishing: { mode: 'review' } });
  const steward = { username: 'steward', groups: ['stewards'] };
  const { visitor: author } = await signInNew(server, admin, steward);
  const problem = async (what: string, json: object) =>
    (
      await parseAnswer(
        skillBinApi.restore.response,
        author(`/api/admin/skills/-/bin/${what}`, { json }),
      )
    ).failed[0]?.message;
  expect(await problem('restore', { names: ['brew'] })).toContain('right "publish"');
  expect(await problem('delete', { skills: [{ name: 'brew', number: 2 }] })).toContain('publish');
  expect(await binned()).toEqual(['brew']);
  const bad = await parseProblem(admin('/api/admin/skills/-/bin/restore', { json: {} }));
  expect(bad.code).toBe('invalid-request');
});

test('5,000 deleted skills are listed quickly', async () => {
  const { folder } = server;
  const count = 5000;
  const database = await openTestDatabase(join(folder, 'data'));
  const at = new Date().toISOString();
  const numbered = Array.from({ length: count }, (_, index) => ({
    id: `skill-${index}`,
    name: `old-${index}`,
  }));
  const version = {
    files: 1,
    bytes: 10,
    message: '',
    action: 'created',
    summary: '',
    origin: 'api',
  };
  const stored = { ...version, digest: 'ab', checksum: 'ab', manifest: '[]', created_at: at };
  const deleted = { ...version, digest: null, checksum: null, manifest: null, created_at: at };
  const assignments = JSON.stringify({ displayName: 'Old', apps: { desk: { skills: 0 } } });
  for (let start = 0; start < count; start += 500) {
    const some = numbered.slice(start, start + 500);
    await database.insertInto('skills').values(some).execute();
    for (const row of [
      { ...stored, number: 1, assignments: null },
      { ...deleted, number: 2, assignments },
    ]) {
      const rows = some.map(({ id: skill }) => ({ ...row, skill }));
      await database.insertInto('skill_versions').values(rows).execute();
    }
  }
  await database.destroy();
  await bin('?query=old-4');
  let total = 0;
  const pause = await measureLongestPause(async () => {
    ({ total } = await bin('?query=old-49&limit=100'));
  }, processorClock);
  expect(total).toBe(111);
  expect(pause).toBeLessThan(100);
});
