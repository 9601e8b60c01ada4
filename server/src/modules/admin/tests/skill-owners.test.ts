import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { libraryApi } from '@knowhow/shared/skills/library';
import { skillOwnersApi } from '@knowhow/shared/skills/skill-owners';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rightsFiles, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const chat = scriptedChat(rightsFiles);
const skill = 'release-notes';

const ownerOf = async (admin: Visitor, name = skill) =>
  (await parseAnswer(skillOwnersApi.get.response, admin(`/api/admin/skills/${name}/owner`))).owner;
const setOwner = (admin: Visitor, owner: unknown, name = skill) =>
  admin(`/api/admin/skills/${name}/owner`, { method: 'PUT', json: { owner } });
const inLibrary = async (visitor: Visitor) =>
  (await parseAnswer(libraryApi.get.response, visitor(`/api/library/${skill}`))).owner;

async function start() {
  await chat.start([]);
  const admin = await signInAdmin(chat.server);
  const ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
  return { admin, ann };
}

test('the library shows the user or group that owns a skill, until there is none', async () => {
  const { admin, ann } = await start();
  expect(await inLibrary(ann.visitor)).toBeUndefined();
  await setOwner(admin, { kind: 'user', id: ann.id });
  expect(await inLibrary(ann.visitor)).toBe('ann');
  await setOwner(admin, { kind: 'group', id: 'staff' });
  expect(await inLibrary(ann.visitor)).toBe('Staff');
  await setOwner(admin, null);
  expect(await inLibrary(ann.visitor)).toBeUndefined();
  const audit = await admin(`/api/admin/audit?kind=skill&target=${skill}`);
  expect(await audit.json()).toMatchObject({
    items: [
      { action: 'owner-changed', before: { owner: { name: 'Staff' } }, after: {} },
      { action: 'owner-changed' },
      { action: 'owner-changed', after: { owner: { name: 'ann' } } },
    ],
  });
});

test('users and groups are found by name', async () => {
  const { admin } = await start();
  const search = async (query: string) =>
    (
      await parseAnswer(
        skillOwnersApi.choices.response,
        admin(`/api/admin/owner-choices?query=${query}`),
      )
    ).items.map(({ kind, name }) => `${kind} ${name}`);
  expect(await search('ANN')).toEqual(['user ann']);
  expect(await search('staff')).toEqual(['group Staff']);
  expect(await search('nothing')).toEqual([]);
});

test('an unknown owner and an unknown skill are refused', async () => {
  const { admin } = await start();
  const refused = await setOwner(admin, { kind: 'group', id: 'none' });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    code: 'invalid-request',
    issues: [{ path: 'owner.id' }],
  });
  expect((await setOwner(admin, { kind: 'robot', id: 'x' })).status).toBe(400);
  expect((await setOwner(admin, null, 'none')).status).toBe(404);
});

test('a group of guests, who have no inbox, cannot own a skill', async () => {
  const { admin } = await start();
  const found = await admin('/api/admin/owner-choices?query=anonymous');
  expect(await found.json()).toEqual({ items: [] });
  expect((await setOwner(admin, { kind: 'group', id: 'anonymous' })).status).toBe(400);
  expect(await ownerOf(admin)).toBeUndefined();
});

test('a skill whose owner was deleted has none, and its pages still open', async () => {
  const { admin, ann } = await start();
  await setOwner(admin, { kind: 'user', id: ann.id });
  await admin(`/api/admin/users/${ann.id}?conversations=delete`, { method: 'DELETE' });
  expect(await ownerOf(admin)).toBeUndefined();
  await setOwner(admin, { kind: 'group', id: 'outside' });
  await admin('/api/admin/groups/outside', { method: 'DELETE' });
  expect(await ownerOf(admin)).toBeUndefined();
});

test('a renamed folder keeps its owner', async () => {
  const { admin } = await start();
  const staff = { kind: 'group', id: 'staff' };
  await setOwner(admin, staff);
  const folder = join(chat.server.folder, 'contents', 'skills');
  await rename(join(folder, skill), join(folder, 'news'));
  await waitFor(async () => (await admin('/api/admin/skills/news')).status === 200);
  await waitFor(async () => (await ownerOf(admin, 'news')) !== undefined);
  expect(await ownerOf(admin, 'news')).toMatchObject(staff);
});

test('a new skill has no owner of a deleted one, a restored skill has its own', async () => {
  const { admin } = await start();
  const staff = { kind: 'group', id: 'staff' };
  await setOwner(admin, staff);
  const remove = () => admin(`/api/admin/skills/${skill}`, { method: 'DELETE' });
  await remove();
  const json = { name: skill, description: 'Is another.', body: 'Do it.' };
  expect((await admin('/api/admin/skills', { json })).status).toBe(201);
  expect(await ownerOf(admin)).toBeUndefined();

  await setOwner(admin, staff);
  await remove();
  await admin(`/api/skill-versions/${skill}/1/restore`, { method: 'POST' });
  expect(await ownerOf(admin)).toMatchObject(staff);
});

test('a backup with data contains owners', async () => {
  const { admin } = await start();
  await setOwner(admin, { kind: 'group', id: 'staff' });
  const zip = await exportBackup(admin, '?data=true');
  await setOwner(admin, null);
  await importBackup(admin, zip);
  expect(await ownerOf(await signInAdmin(chat.server))).toMatchObject({ name: 'Staff' });
});
