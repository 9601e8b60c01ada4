import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { archiveReportSchema } from '@knowhow/shared/skills/skill-archives';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
let admin: Visitor;

const group = (id: string, permissions: unknown) => [id, { id, name: id, permissions }] as const;
const groups = Object.fromEntries([
  group('anonymous', {}),
  group('writers', { apps: ['chat', 'desk'], models: ['*'], skills: ['other', 'report'] }),
  group('team', {}),
  group('admins', { apps: ['*'], models: ['*'], skills: ['*'], adminAccess: true }),
]);
const entry = { enabled: true, global: true, priority: 7, allowScriptExecution: true };

beforeEach(async () => {
  server = await startTestServer({
    files: {
      'config/groups.json': { groups },
      'config/skills.json': {
        skills: { report: entry, other: { priority: 1 }, planned: { enabled: false } },
      },
      'apps/desk.json': {
        id: 'desk',
        name: 'Desk',
        skills: ['first', 'report', 'other'],
        skillSettings: { autoInject: ['report', 'other'], exclude: ['report'] },
      },
      'skills/report/SKILL.md': skillFile('report', 'Writes reports.'),
      'skills/other/SKILL.md': skillFile('other', 'Something else.'),
    },
  });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const read = async (path: string) =>
  JSON.parse(await readFile(join(server.folder, 'contents', path), 'utf8'));
async function assignments() {
  const desk = await read('apps/desk.json');
  return {
    entry: (await read('config/skills.json')).skills.report,
    skills: desk.skills,
    autoInject: desk.skillSettings.autoInject,
    exclude: desk.skillSettings.exclude,
    granted: (await read('config/groups.json')).groups.writers.permissions.skills,
  };
}
const assigned = {
  entry,
  skills: ['first', 'report', 'other'],
  autoInject: expect.arrayContaining(['other', 'report']),
  exclude: ['report'],
  granted: expect.arrayContaining(['other', 'report']),
};
const none = {
  entry: undefined,
  skills: ['first', 'other'],
  autoInject: ['other'],
  exclude: [],
  granted: ['other'],
};
const create = () =>
  admin('/api/admin/skills', { json: { name: 'report', description: 'Is new.', body: 'Do it.' } });
async function remove(): Promise<number> {
  const response = await admin('/api/admin/skills/report', { method: 'DELETE' });
  return adminSkillsApi.remove.response.parse(await response.json()).restorable;
}
const restore = (revision: number) =>
  admin(`/api/skill-versions/report/${revision}/restore`, { method: 'POST' });

let restorable: number;
beforeEach(async () => {
  restorable = await remove();
});

test('moves the assignments of a deleted skill to the bin and restores them', async () => {
  expect(await assignments()).toEqual(none);
  expect((await restore(restorable)).status).toBe(200);
  expect(await assignments()).toEqual(assigned);
});

test.each([
  ['created', create],
  ['duplicated', () => admin('/api/admin/skills/other/duplicate', { json: { name: 'report' } })],
  [
    'imported',
    () =>
      admin('/api/admin/skills/import', {
        method: 'POST',
        body: skillFile('report', 'Is new.'),
        headers: { 'content-type': 'text/markdown' },
      }),
  ],
])('starts a %s skill with a reused name without assignments', async (_, make) => {
  expect((await make()).status).toBeLessThan(300);
  expect(await assignments()).toEqual(none);
  // Deleting a folder by hand leaves its assignments.
  const settings = { priority: 3, global: true, apps: ['desk'], groups: ['writers'] };
  await admin('/api/admin/skills/report', { method: 'PUT', json: settings });
  expect(await assignments()).not.toEqual(none);
  await rm(join(server.folder, 'contents/skills/report'), { recursive: true });
  await waitFor(
    async () => !(await (await admin('/api/admin/skills')).text()).includes('local:report'),
  );
  expect((await make()).status).toBeLessThan(300);
  expect(await assignments()).toEqual(none);
});

test('starts an app with a reused ID without grants, and a group without shared prompts', async () => {
  await restore(restorable);
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['writers', 'team'] });
  const shared = { name: 'Reply', text: 'Answer.', groups: ['team'] };
  const made = await ann.visitor('/api/account/prompts', { json: shared });
  expect(made.status).toBe(200);
  const json = { id: 'team', name: 'Team' };
  const inUse = await admin('/api/admin/groups/team', { method: 'DELETE' });
  expect(inUse.status).toBe(409);
  await admin(`/api/admin/users/${ann.id}`, { method: 'PUT', json: { groups: ['writers'] } });
  expect((await admin('/api/admin/groups/team', { method: 'DELETE' })).status).toBe(204);
  await admin('/api/admin/groups/team', { method: 'PUT', json });
  const own = await ann.visitor('/api/account/prompts');
  expect(userPromptsApi.list.response.parse(await own.json()).items).toMatchObject([
    { name: 'Reply', groups: [] },
  ]);
  expect((await admin('/api/admin/apps/desk', { method: 'DELETE' })).status).toBe(204);
  const { writers } = (await read('config/groups.json')).groups;
  expect(writers.permissions.apps).toEqual(['chat']);
});

test.each([
  [
    'an open invitation',
    '/api/admin/invitations',
    { note: 'Jo', groups: ['team'], expiresInDays: 3 },
    'open invitations',
  ],
  [
    'a service key',
    '/api/admin/keys',
    { name: 'robot', groups: ['team'], scopes: ['chat'] },
    'service keys belong to it: robot',
  ],
])('does not delete a group that %s refers to', async (_, path, json, reason) => {
  await admin('/api/admin/groups/team', { method: 'PUT', json: { id: 'team', name: 'Team' } });
  expect((await admin(path, { json })).status).toBe(200);
  const response = await admin('/api/admin/groups/team', { method: 'DELETE' });
  expect(response.status).toBe(409);
  expect((await parseProblem(response)).detail).toContain(reason);
});

test.each([
  ['planned', true],
  ['unknown', false],
  // The import replaces it, which keeps its assignments.
  ['report', false],
])('reports in an import of %s that assignments are dropped: %s', async (name, said) => {
  const file = skillFile(name, 'Is imported.');
  const response = await postArchive(admin, 'validate', file, 'text/markdown');
  const { skills } = archiveReportSchema.parse(await response.json());
  const codes = skills[0]?.diagnostics.map(({ code }) => code) ?? [];
  expect(codes.includes('assignments-dropped')).toBe(said);
});
