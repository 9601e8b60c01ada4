import { appsApi } from '@knowhow/shared/apps';
import { healthApi } from '@knowhow/shared/health';
import { problemSchema } from '@knowhow/shared/problem';
import { expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../testing/parse-answer.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { startTestServer } from '../testing/start-test-server.ts';
import type { Files } from '../testing/write-files.ts';

async function start(files: Files = {}) {
  const server = await startTestServer({ files });
  onTestFinished(server.close);
  return signInAdmin(server);
}

test('scripts of a skill cannot be allowed where nothing runs them, and it is said why', async () => {
  const admin = await start();
  const allow = (allowScriptExecution: boolean) =>
    admin('/api/admin/skills/meeting-notes', { method: 'PUT', json: { allowScriptExecution } });
  const refused = await allow(true);
  expect(refused.status).toBe(400);
  expect(problemSchema.parse(await refused.json()).issues).toEqual([
    {
      path: 'allowScriptExecution',
      code: expect.any(String),
      message: expect.stringContaining('no runner'),
    },
  ]);
  expect((await allow(false)).status).toBe(200);
});

test('a file that allows scripts, or names another folder, is used, and the rest is a fault', async () => {
  const admin = await start({
    'config/skills.json': {
      settings: { allowScriptExecution: true },
      skills: {
        'meeting-notes': { allowScriptExecution: true, enabled: false, directory: 'meeting-notes' },
        notes: { directory: 'skills/release-notes', enabled: false },
      },
    },
  });
  const { items } = await parseAnswer(healthApi.faults.response, admin('/api/admin/faults'));
  expect(items.map(({ field, message, isUsed }) => [field, message, isUsed])).toEqual([
    ['settings.allowScriptExecution', expect.stringContaining('no runner'), true],
    ['skills.meeting-notes.allowScriptExecution', expect.stringContaining('no runner'), true],
    ['skills.notes.directory', expect.stringContaining('Call this entry "release-notes"'), true],
  ]);
  const skills = await (await admin('/api/skills')).text();
  expect(skills).not.toContain('meeting-notes');
  expect(skills).toContain('release-notes');
});

test('fields of an app that show nowhere are not sent to anyone', async () => {
  const admin = await start({
    'apps/chat.json': { id: 'chat', name: 'Chat', color: '#0F766E', icon: 'pencil' },
  });
  const app: unknown = await (await admin('/api/apps/chat')).json();
  expect(app).toEqual(appsApi.get.response.parse(app));
  expect(app).not.toHaveProperty('color');
  expect(app).not.toHaveProperty('icon');
});
