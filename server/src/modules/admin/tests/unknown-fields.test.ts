import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSettingsApi } from '@knowhow/shared/config/admin-settings';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
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
      'apps/chat.json': { id: 'chat', name: 'Chat', inputMode: { type: 'multiline' } },
      'config/platform.json': { speech: { input: true }, ofAnother: { kept: 1 } },
      'config/skills.json': { settings: { maxSkillsPerRequest: 4 } },
    },
  });
  onTestFinished(server.close);
  admin = await signInAdmin(server);
});

const put = (path: string, json: object) => admin(`/api/admin/${path}`, { method: 'PUT', json });

test.each([
  ['settings/platform', { rateLimit: { turn: 1 } }, 'rateLimit.turn', 'turns'],
  ['settings/skills', { publishing: { fourEye: true } }, 'publishing.fourEye', 'fourEyes'],
])('%s with %o is refused with the name that was meant', async (path, json, field, known) => {
  const { code, issues } = await parseProblem(put(path, json));
  expect(code).toBe('invalid-request');
  expect(issues).toEqual([
    {
      path: field,
      code: 'unknown-field',
      message: `Unknown field "${field.split('.').at(-1)}". Did you mean "${known}"?`,
    },
  ]);
});

test('settings inside settings are refused, and nothing is written', async () => {
  const problem = await parseProblem(put('settings/skills', { settings: { toolTurns: 1 } }));
  expect(problem).toMatchObject({
    code: 'invalid-request',
    detail: 'settings: Unknown field "settings". Remove it.',
  });
  const file = join(server.folder, 'contents/config/skills.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    settings: { maxSkillsPerRequest: 4 },
  });
});

test('a source with an unknown field of its credentials is refused', async () => {
  const credentials = { variable: 'SKILL_SOURCE_A', token: 'x' };
  const json = { id: 'a', url: 'https://git.example.org/a.git', credentials };
  const { code, issues } = await parseProblem(admin('/api/admin/skill-sources', { json }));
  expect([code, issues?.[0]?.message]).toEqual(['invalid-request', 'Unknown field "token".']);
});

test('an unknown field of a file has no effect, stays, and does not stop other changes', async () => {
  const app = { name: 'Chat 2', inputMode: { type: 'multiline' } };
  expect((await put('apps/chat', app)).status).toBe(200);
  const platform = { speech: { input: false }, ofAnother: { kept: 1 } };
  expect((await put('settings/platform', platform)).status).toBe(200);
  const file = join(server.folder, 'contents/config/skills.json');
  await writeFile(file, JSON.stringify({ settings: { maxSkillsPerRequests: 3 } }));
  await expect
    .poll(async () => {
      const { config } = await parseAnswer(
        adminSettingsApi.get.response,
        admin('/api/admin/settings/skills'),
      );
      return config;
    })
    .toEqual({ maxSkillsPerRequests: 3 });
  expect((await admin('/api/health')).status).toBe(200);
});

test('an app of another product keeps fields that have no effect here', async () => {
  const app = { name: 'New', preferredOutputFormat: 'markdown', inputMode: { type: 'multiline' } };
  expect((await put('apps/new', app)).status).toBe(200);
  const file = join(server.folder, 'contents/apps/new.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject(app);
});

test('many unknown fields are refused with the first twenty', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => [`field${at}`, at]);
  const { issues } = await parseProblem(put('settings/platform', Object.fromEntries(many)));
  expect(issues?.length).toBe(20);
});
