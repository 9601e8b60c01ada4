import { join } from 'node:path';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  defaultFiles,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  const builtinSkills = join(await temporaryFolder(), 'skills');
  await writeFiles(builtinSkills, {
    // The previous version of it, still in the volume.
    'release-notes/SKILL.md': String(defaultFiles['skills/release-notes/SKILL.md']),
    'meeting-notes/SKILL.md': skillFile('meeting-notes', 'Is better in the new version.'),
    'new-one/SKILL.md': skillFile('new-one', 'Comes with the new version.'),
  });
  server = await startTestServer({ builtinSkills });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const list = async () => {
  const answer = admin('/api/admin/skills');
  const { items } = await parseAnswer(adminSkillsApi.list.response, answer);
  return items.map(({ location, status }) => `${location} ${status}`);
};

test('skills of a new version appear next to those of an older volume, whose own take precedence', async () => {
  expect(await list()).toEqual([
    'local:meeting-notes on',
    'builtin:meeting-notes shadowed',
    'builtin:new-one on',
    'local:release-notes on',
  ]);
  expect(await (await server.visitor()('/api/skills')).text()).toContain('new version');
});

test('they are read-only: switched off or copied, but not written, and in no backup', async () => {
  const file = '/api/admin/skills/new-one/files/SKILL.md';
  const body = skillFile('new-one', 'Is mine.');
  expect((await admin(file, { method: 'PUT', body })).status).toBe(403);
  expect((await admin('/api/admin/skills/new-one', { method: 'DELETE' })).status).toBe(403);
  const off = { method: 'PUT', json: { enabled: false } };
  expect((await admin('/api/admin/skills/new-one', off)).status).toBe(200);
  expect(await list()).toContain('builtin:new-one off');
  expect((await exportBackup(admin)).includes('new-one/SKILL.md')).toBe(false);
  const copy = { json: { name: 'new-one' } };
  expect((await admin('/api/admin/skills/new-one/duplicate', copy)).status).toBe(201);
  expect((await admin(file, { method: 'PUT', body })).status).toBe(200);
  expect(await list()).toContain('builtin:new-one shadowed');
});

test('deleting a local skill reveals the built-in one', async () => {
  await admin('/api/admin/skills/meeting-notes', { method: 'DELETE' });
  expect(await list()).toContain('builtin:meeting-notes on');
});
