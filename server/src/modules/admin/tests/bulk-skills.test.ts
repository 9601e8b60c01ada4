import { join } from 'node:path';
import { type AuditEntry, adminApi } from '@knowhow/shared/config/admin';
import { adminAppsApi } from '@knowhow/shared/config/admin-config';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillBulkApi } from '@knowhow/shared/skills/skill-bulk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  server = await startTestServer({
    files: {
      'apps/desk.json': { id: 'desk', name: 'Desk', skills: ['release-notes', 'gone'] },
      'skills/more-notes/SKILL.md': skillFile('more-notes', 'More notes.'),
      'skills/no-words/SKILL.md': skillFile('no-words', ''),
    },
  });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const names = ['meeting-notes', 'release-notes'];
const change = (json: unknown) =>
  parseAnswer(skillBulkApi.change.response, admin('/api/admin/skills/bulk', { json }));
const skill = (name: string) =>
  parseAnswer(adminSkillsApi.get.response, admin(`/api/admin/skills/${name}`));
const audit = async (query = '?kind=skill'): Promise<AuditEntry[]> =>
  (await parseAnswer(adminApi.audit.response, admin(`/api/admin/audit${query}`))).items;
const listedInDesk = async () =>
  (await parseAnswer(adminAppsApi.get.response, admin('/api/admin/apps/desk'))).config?.skills;

test('switches many at once, except those that cannot be, with one audit entry', async () => {
  await change({ action: 'switch', names: ['meeting-notes'], enabled: false });
  const wanted = [...names, 'no-words', 'unknown'];
  expect(await change({ action: 'switch', names: wanted, enabled: true })).toEqual({
    done: names,
    failed: [
      { name: 'no-words', message: expect.stringContaining('no description') },
      { name: 'unknown', message: expect.stringContaining('unknown') },
    ],
    restorable: {},
  });
  expect((await skill('meeting-notes')).status).toBe('on');
  const entries = await audit();
  expect(entries).toMatchObject([
    { action: 'switched-on', target: '*', userName: 'Admin', after: { skills: names } },
    { action: 'switched-off', target: 'meeting-notes' },
  ]);
  await change({ action: 'switch', names, enabled: true });
  expect(await audit()).toHaveLength(2);
});

test('a skill that is named in several spellings counts once', async () => {
  const twice = ['meeting-notes', 'Meeting Notes', 'MEETING-NOTES'];
  const desk = { kind: 'apps', id: 'desk' };
  expect((await change({ action: 'assign', names: twice, ...desk })).done).toEqual([
    'meeting-notes',
  ]);
  expect(await listedInDesk()).toEqual(['release-notes', 'gone', 'meeting-notes']);
});

test('a bulk audit entry is found by the name of each skill', async () => {
  await change({ action: 'switch', names, enabled: false });
  for (const query of ['?target=release-notes', '?query=meet%20NOTES', '?query=switched-off']) {
    expect(await audit(query), query).toMatchObject([{ action: 'switched-off', target: '*' }]);
  }
  expect(await audit('?target=release')).toEqual([]);
  expect(await audit('?target=release_notes')).toEqual([]);
});

test('many are assigned to an app, and unassigned again, including deleted ones', async () => {
  const desk = { kind: 'apps', id: 'desk' };
  expect((await change({ action: 'assign', names, ...desk })).done).toEqual(names);
  expect(await listedInDesk()).toEqual(['release-notes', 'gone', 'meeting-notes']);
  const taken = ['gone', 'release-notes', 'meeting-notes'];
  expect((await change({ action: 'unassign', names: taken, ...desk })).failed).toEqual([]);
  expect(await listedInDesk()).toEqual([]);
  expect(await audit()).toMatchObject([
    { action: 'unassigned', target: '*', after: { skills: taken, apps: 'desk' } },
    { action: 'assigned', target: 'meeting-notes' },
  ]);
});

test('nothing can be unassigned individually from an app or group with *', async () => {
  const { done, failed } = await change({
    action: 'unassign',
    names,
    kind: 'groups',
    id: 'admins',
  });
  expect(done).toEqual([]);
  expect(failed.map(({ message }) => message)).toEqual(
    names.map(() => expect.stringContaining('All skills are in "admins"')),
  );
});

test('rejects an unknown app as a whole', async () => {
  const json = { action: 'assign', names, kind: 'apps', id: 'none' };
  expect(await parseProblem(admin('/api/admin/skills/bulk', { json }))).toMatchObject({
    code: 'invalid-request',
    issues: [{ path: 'apps' }],
  });
});

test('many are deleted with one entry, and each can be restored', async () => {
  const [first, second] = [await skill('meeting-notes'), await skill('release-notes')];
  const skills = [
    { name: first.name, checksum: first.checksum },
    { name: second.name, checksum: 'seen before it changed' },
  ];
  const { done, failed, restorable } = await change({ action: 'delete', skills });
  expect(done).toEqual(['meeting-notes']);
  expect(failed.map(({ name }) => name)).toEqual(['release-notes']);
  expect(await audit()).toMatchObject([{ action: 'deleted', target: 'meeting-notes' }]);
  const back = `/api/skill-versions/meeting-notes/${restorable['meeting-notes']}/restore`;
  expect((await admin(back, { method: 'POST' })).status).toBe(200);
  expect((await skill('meeting-notes')).status).toBe('on');
});

test('an administrator who loses access during a bulk deletion deletes no more', async () => {
  const all = Array.from({ length: 60 }, (_, at) => `s-${String(at).padStart(2, '0')}`);
  const files = all.map((name) => [`skills/${name}/SKILL.md`, skillFile(name, 'X.')]);
  await writeFiles(join(server.folder, 'contents'), Object.fromEntries(files));
  await waitFor(async () => (await admin('/api/admin/skills/s-59')).status === 200);
  const skills = await Promise.all(all.map(skill));
  const seen = skills.map(({ name, checksum }) => ({ name, checksum }));
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['admins'] });
  const json = { action: 'delete', skills: seen };
  const deleting = ann.visitor('/api/admin/skills/bulk', { json });
  await waitFor(async () => (await admin('/api/admin/skills/s-00')).status === 404);
  await admin(`/api/admin/users/${ann.id}`, { method: 'PUT', json: { disabled: true } });
  expect((await deleting).status).toBe(401);
  expect((await admin('/api/admin/skills/s-59')).status).toBe(200);
  expect(await audit(`?user=${ann.id}&query=deleted`)).toMatchObject([{ action: 'deleted' }]);
});

test('the audit log can be searched by words, user and time', async () => {
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['admins'] });
  const off = { action: 'switch', names: ['release-notes'], enabled: false };
  await ann.visitor('/api/admin/skills/bulk', { json: off });
  await change({ ...off, names: ['meeting-notes'] });
  const [newest, older] = await audit();
  const targets = async (query: string) =>
    (await audit(`?kind=skill&${query}`)).map(({ target }) => target);
  expect(await targets(`user=${ann.id}`)).toEqual(['release-notes']);
  expect(await targets('query=ANN%20off')).toEqual(['release-notes']);
  expect(await targets('query=%25')).toEqual([]);
  expect(await targets(`from=${newest?.at}`)).toContain('meeting-notes');
  expect(await targets(`to=${older?.at}`)).toEqual([]);
  expect((await admin('/api/admin/audit?from=yesterday')).status).toBe(400);
});

test('a page of the audit log ends early if bulk entries would make it large', async () => {
  const all = Array.from({ length: 8000 }, (_, at) => `${at}-${'x'.repeat(190)}`);
  const desk = { id: 'desk', name: 'Desk', skills: all };
  await writeFiles(join(server.folder, 'contents'), { 'apps/desk.json': desk });
  await waitFor(async () => (await skill('release-notes')).apps.length === 1);
  for (const part of [all.slice(0, 4000), all.slice(4000)]) {
    const taken = { action: 'unassign', names: part, kind: 'apps', id: 'desk' };
    expect((await change(taken)).done).toHaveLength(4000);
  }
  const page = (query: string) =>
    parseAnswer(adminApi.audit.response, admin(`/api/admin/audit?kind=skill${query}`));
  const first = await page('');
  expect(first).toMatchObject({ total: 2, items: [{ action: 'unassigned' }] });
  const second = await page(`&cursor=${first.nextCursor}`);
  expect(second.items).toMatchObject([
    { action: 'unassigned', after: { skills: all.slice(0, 4000) } },
  ]);
  expect(second.nextCursor).toBeUndefined();
});

const undo = async (entry: AuditEntry | undefined) =>
  parseAnswer(
    skillBulkApi.undo.response,
    admin(`/api/admin/skills/bulk/undo/${entry?.id}`, { method: 'POST' }),
  );
const previewUndo = async (entry: AuditEntry | undefined) =>
  parseAnswer(skillBulkApi.previewUndo.response, admin(`/api/admin/skills/bulk/undo/${entry?.id}`));

test('undoes a bulk switch only for skills that were not changed since', async () => {
  await change({ action: 'switch', names: ['release-notes'], enabled: false });
  await change({ action: 'switch', names: ['more-notes', ...names], enabled: false });
  const [off] = await audit();
  expect(off?.after).toMatchObject({ skills: ['more-notes', 'meeting-notes'] });
  // On purpose, after the bulk change.
  await change({ action: 'switch', names: ['more-notes'], enabled: true });
  expect(await previewUndo(off)).toMatchObject({
    done: ['meeting-notes'],
    left: [{ name: 'more-notes', reason: 'changed' }],
    people: 1,
  });
  expect(await undo(off)).toEqual({
    done: ['meeting-notes'],
    left: [{ name: 'more-notes', reason: 'changed' }],
  });
  expect((await skill('meeting-notes')).status).toBe('on');
  expect((await skill('release-notes')).status).toBe('off');
  const [undone] = await audit();
  expect(undone).toMatchObject({
    action: 'switched-on',
    target: 'meeting-notes',
    after: { undoes: off?.at },
  });
  expect((await undo(undone)).done).toEqual(['meeting-notes']);
  expect((await skill('meeting-notes')).status).toBe('off');
  expect((await undo(undone)).done).toEqual([]);
});

test('the undo of switching on leaves skills on that had been on by default', async () => {
  await change({ action: 'switch', names: ['release-notes'], enabled: false });
  await change({ action: 'switch', names, enabled: true });
  const [on] = await audit();
  expect((await undo(on)).done).toEqual(names);
  expect((await skill('meeting-notes')).status).toBe('on');
  expect((await skill('release-notes')).status).toBe('off');
  const [off] = await audit();
  await undo(off);
  expect((await skill('release-notes')).status).toBe('on');
});

test('undoes a bulk assignment, and an unassignment with its pinned version', async () => {
  const desk = { kind: 'apps', id: 'desk' };
  await change({ action: 'assign', names, ...desk });
  const [assigned] = await audit();
  expect(await previewUndo(assigned)).toMatchObject({ done: ['meeting-notes'], apps: 1 });
  expect(await undo(assigned)).toEqual({ done: ['meeting-notes'], left: [] });
  expect(await listedInDesk()).toEqual(['release-notes', 'gone']);

  const pinned = { name: 'release-notes', version: 1 };
  const config = { name: 'Desk', skills: [pinned, 'gone'] };
  expect((await admin('/api/admin/apps/desk', { method: 'PUT', json: config })).status).toBe(200);
  await change({ action: 'unassign', names: ['release-notes', 'gone'], ...desk });
  const [taken] = await audit();
  expect(await undo(taken)).toEqual({
    done: ['release-notes'],
    left: [{ name: 'gone', reason: 'missing' }],
  });
  expect(await listedInDesk()).toEqual([pinned]);
  const [back] = await audit();
  expect((await previewUndo(back)).done).toEqual(['release-notes']);
  expect((await undo(back)).done).toEqual(['release-notes']);
  expect(await listedInDesk()).toEqual([]);
  const [away] = await audit();
  await undo(away);
  expect(await listedInDesk()).toEqual([pinned]);
});

test('says what it cannot undo, and lets only those undo who manage skills', async () => {
  await change({ action: 'switch', names, enabled: false });
  const [off, ...others] = await audit('');
  const other = others.find(({ kind }) => kind !== 'skill');
  for (const id of [other?.id, 'none']) {
    const post = { method: 'POST' };
    expect(await parseProblem(admin(`/api/admin/skills/bulk/undo/${id}`, post))).toMatchObject({
      code: 'not-found',
      detail: expect.stringContaining('Undo'),
    });
  }
  await admin('/api/admin/groups/auditors', {
    method: 'PUT',
    json: { name: 'Auditors', permissions: { adminAccess: ['audit'] } },
  });
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['auditors'] });
  const address = `/api/admin/skills/bulk/undo/${off?.id}`;
  expect((await ann.visitor('/api/admin/audit')).status).toBe(200);
  expect((await ann.visitor(address)).status).toBe(403);
  expect((await ann.visitor(address, { method: 'POST' })).status).toBe(403);
  expect((await skill('meeting-notes')).status).toBe('off');
});

test('counts the people and apps that a change reaches', async () => {
  await signInNew(server, admin, { username: 'ann', groups: ['admins'] });
  const reach = () =>
    parseAnswer(
      skillBulkApi.reach.response,
      admin('/api/admin/skills/bulk/reach', { json: { names } }),
    );
  const { apps, people } = await reach();
  expect(apps).toBeGreaterThan(0);
  expect(people).toBe(2);
});
