import { appsApi } from '@knowhow/shared/config/apps';
import { healthApi } from '@knowhow/shared/config/health';
import { problemSchema } from '@knowhow/shared/problem';
import { expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import type { Files } from '../../../testing/write-files.ts';

async function start(files: Files = {}) {
  const server = await startTestServer({ files });
  onTestFinished(server.close);
  return signInAdmin(server);
}

test("a skill's scripts cannot be allowed where nothing runs them, with the reason", async () => {
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

test('a file that allows scripts, or names another folder, is used, and the rest is an issue', async () => {
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
  ]);
  const skills = await (await admin('/api/skills')).text();
  expect(skills).not.toContain('meeting-notes');
  expect(skills).not.toContain('release-notes');
});

test("an app's icon and colour are shown, and an unknown one is an issue", async () => {
  const app = (id: string, look: object) => ({
    [`apps/${id}.json`]: { id, name: id, notOurs: 'x', ...look },
  });
  const admin = await start({
    ...app('chat', { icon: 'pencil', color: 'teal' }),
    ...app('flag', { icon: '🇦🇹', color: '#4F46E5' }),
    ...app('family', { icon: '👨‍👩‍👧‍👦', color: '#F00000' }),
    ...app('odd', { icon: 'no-such', color: 'amber' }),
    ...app('text', { icon: 'Hi👋', color: '#zzzzzz' }),
    ...app('plain', { color: '#777a77' }),
  });
  const list = await parseAnswer(appsApi.list.response, admin('/api/apps'));
  expect(Object.fromEntries(list.items.map(({ id, icon, color }) => [id, [icon, color]]))).toEqual({
    chat: ['pencil', 'teal'],
    flag: ['🇦🇹', 'violet'],
    family: ['👨‍👩‍👧‍👦', 'red'],
    odd: [undefined, undefined],
    text: [undefined, undefined],
    plain: [undefined, 'grey'],
  });
  expect(await (await admin('/api/apps')).text()).not.toContain('notOurs');
  const { items } = await parseAnswer(healthApi.faults.response, admin('/api/admin/faults'));
  expect(items.map(({ path, field, isUsed }) => [path, field, isUsed])).toEqual(
    ['odd', 'text'].flatMap((id) => [
      [`contents/apps/${id}.json`, 'icon', true],
      [`contents/apps/${id}.json`, 'color', true],
    ]),
  );
  expect(items[0]?.message).toContain('pencil');
});
