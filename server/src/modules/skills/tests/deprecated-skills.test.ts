import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminApi } from '@knowhow/shared/config/admin';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { libraryApi } from '@knowhow/shared/skills/library';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const allOf = { apps: ['*'], models: ['*'] };
const chat = scriptedChat({
  'config/groups.json': {
    groups: {
      admins: {
        id: 'admins',
        name: 'Admins',
        permissions: { ...allOf, skills: ['*'], adminAccess: true },
      },
      interns: {
        id: 'interns',
        name: 'Interns',
        permissions: { ...allOf, skills: ['release-notes'] },
      },
    },
  },
  'skills/release-notes/SKILL.md': skillFile('release-notes', 'Writes release notes.', 'Be brief.'),
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'skills/minutes/SKILL.md': skillFile('minutes', 'Writes minutes.', 'Be brief.'),
});

async function start() {
  await chat.start(() => says('Done.'));
  return { admin: await signInAdmin(chat.server) };
}

const deprecate = (admin: Visitor, name: string, deprecated: unknown) =>
  admin(`/api/admin/skills/${name}`, { method: 'PUT', json: { deprecated } });
const review = (admin: Visitor, reviewBy: string | null) =>
  admin('/api/skill-attention/minutes/review-date', { method: 'PUT', json: { reviewBy } });
const read = (admin: Visitor, name: string) =>
  parseAnswer(adminSkillsApi.get.response, admin(`/api/admin/skills/${name}`));
const inLibrary = (visitor: Visitor, name: string) =>
  parseAnswer(libraryApi.get.response, visitor(`/api/library/${name}`));
const namesIn = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);

test('a deprecated skill names its successor and comes last, until the deprecation is removed', async () => {
  const { admin } = await start();
  const order = async (query: string) =>
    namesIn(await parseAnswer(libraryApi.list.response, admin(`/api/library?${query}`)));
  expect((await order('order=popular'))[0]).toBe('meeting-notes');
  const deprecated = { successor: 'minutes', note: ' Has\u202e decisions, too. ' };
  expect((await deprecate(admin, 'meeting-notes', deprecated)).status).toBe(200);

  expect((await inLibrary(admin, 'meeting-notes')).deprecated).toEqual({
    successor: { name: 'minutes', displayName: 'minutes' },
    note: 'Has decisions, too.',
  });
  for (const query of ['order=popular', 'order=newest', 'query=meeting-notes']) {
    expect((await order(query)).at(-1)).toBe('meeting-notes');
  }
  const typed = admin('/api/skills?query=meeting');
  expect(namesIn(await parseAnswer(skillsApi.list.response, typed)).at(-1)).toBe('meeting-notes');

  await deprecate(admin, 'meeting-notes', null);
  expect((await inLibrary(admin, 'meeting-notes')).deprecated).toBeUndefined();
  expect((await order('order=popular'))[0]).toBe('meeting-notes');
  const audit = await admin('/api/admin/audit?kind=skill&target=meeting-notes');
  expect(await audit.json()).toMatchObject({
    items: [
      { action: 'settings-changed', before: { deprecated: { successor: 'minutes' } } },
      { action: 'settings-changed', after: { deprecated: { successor: 'minutes' } } },
    ],
  });
});

test('models are told about the successor instead, and the deprecated skill still works by name', async () => {
  const { admin } = await start();
  const catalogue = async () => {
    const json = { app: 'chat', groups: ['admins'] };
    const answer = await admin('/api/admin/try-as', { json });
    return adminApi.tryAs.response.parse(await answer.json()).catalogue;
  };
  await deprecate(admin, 'meeting-notes', {});
  expect(await catalogue()).toContain('meeting-notes');
  await deprecate(admin, 'meeting-notes', { successor: 'minutes' });
  expect(await catalogue()).not.toContain('meeting-notes');
  expect(await catalogue()).toContain('minutes');

  await takeTurn(admin, { message: 'Go', skills: ['meeting-notes'] });
  expect(chat.sent(0)).toContain('<skill_content name="meeting-notes"');
});

test('a model that names a deprecated skill gets it', async () => {
  const call = calls(['activate_skill', { skill_name: 'meeting-notes' }]);
  await chat.start([call, says('Done.')]);
  const admin = await signInAdmin(chat.server);
  await deprecate(admin, 'meeting-notes', { successor: 'minutes' });
  await takeTurn(admin, { message: 'Go' });
  expect(chat.sent(1)).toContain('<skill_content name="meeting-notes"');
});

test('users without access to the successor do not learn about it', async () => {
  const { admin } = await start();
  const ben = await signInNew(chat.server, admin, { username: 'ben', groups: ['interns'] });
  await deprecate(admin, 'release-notes', { successor: 'minutes', note: 'Old.' });
  expect((await inLibrary(ben.visitor, 'release-notes')).deprecated).toEqual({ note: 'Old.' });
});

test('a chain of deprecations leads to its end, and a circle in the file to no skill', async () => {
  const { admin } = await start();
  await deprecate(admin, 'release-notes', { successor: 'meeting-notes' });
  await deprecate(admin, 'meeting-notes', { successor: 'minutes' });
  const successor = { name: 'minutes', displayName: 'minutes' };
  expect((await inLibrary(admin, 'release-notes')).deprecated).toEqual({ successor });

  const circle = await deprecate(admin, 'minutes', { successor: 'release-notes' });
  expect(circle.status).toBe(400);
  expect(await circle.json()).toMatchObject({
    issues: [{ path: 'deprecated.successor', code: 'cycle' }],
  });
  const file = join(chat.server.folder, 'contents/config/skills.json');
  const config = JSON.parse(await readFile(file, 'utf8')) as { skills: Record<string, object> };
  config.skills.minutes = { deprecated: { successor: 'release-notes' } };
  await writeFile(file, JSON.stringify(config));
  await waitFor(async () => (await inLibrary(admin, 'minutes')).deprecated !== undefined);
  expect((await inLibrary(admin, 'release-notes')).deprecated).toEqual({});
  expect((await takeTurn(admin, { message: 'Go' })).text).toBe('Done.');
});

test.each([
  [{ successor: 'none' }, 'unknown'],
  [{ successor: 'meeting-notes' }, 'same'],
  [{ successor: '' }, undefined],
  [{ note: 'x'.repeat(1001) }, undefined],
  [{ other: true }, undefined],
  ['yes', undefined],
])('a wrong deprecation is a clear problem: %j', async (deprecated, code) => {
  const { admin } = await start();
  const refused = await deprecate(admin, 'meeting-notes', deprecated);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    code: 'invalid-request',
    issues: [{ path: expect.stringMatching(/^deprecated/), ...(code ? { code } : {}) }],
  });
  expect((await read(admin, 'meeting-notes')).deprecated).toBeUndefined();
});

test('a successor that was deleted is no longer named', async () => {
  const { admin } = await start();
  await deprecate(admin, 'meeting-notes', { successor: 'minutes' });
  expect((await read(admin, 'meeting-notes')).deprecated).toEqual({ successor: 'minutes' });
  await admin('/api/admin/skills/minutes', { method: 'DELETE' });
  expect((await read(admin, 'meeting-notes')).deprecated).toEqual({});
  expect((await inLibrary(admin, 'meeting-notes')).deprecated).toEqual({});
});

test('a restored skill has its deprecation and its review date, a new one with its name has neither', async () => {
  const { admin } = await start();
  const json = { deprecated: { note: 'Old.' }, reviewBy: '2030-01-31' };
  await deprecate(admin, 'minutes', json.deprecated);
  await review(admin, json.reviewBy);
  await admin('/api/admin/skills/minutes', { method: 'DELETE' });
  await admin('/api/skill-versions/minutes/1/restore', { method: 'POST' });
  expect(await read(admin, 'minutes')).toMatchObject(json);
  await admin('/api/admin/skills/minutes', { method: 'DELETE' });
  const again = { name: 'minutes', description: 'Is another.', body: 'Do it.' };
  await admin('/api/admin/skills', { json: again });
  expect(await read(admin, 'minutes')).not.toHaveProperty('deprecated');
  expect(await read(admin, 'minutes')).not.toHaveProperty('reviewBy');
});

test('a backup contains deprecations and review dates', async () => {
  const { admin } = await start();
  const json = { deprecated: { note: 'Old.' }, reviewBy: '2030-01-31' };
  await deprecate(admin, 'minutes', json.deprecated);
  await review(admin, json.reviewBy);
  const zip = await exportBackup(admin, '?data=true');
  await deprecate(admin, 'minutes', null);
  await review(admin, null);
  await importBackup(admin, zip);
  expect(await read(await signInAdmin(chat.server), 'minutes')).toMatchObject(json);
});
