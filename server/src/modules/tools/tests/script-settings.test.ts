import { createServer } from 'node:http';
import { healthApi } from '@knowhow/shared/config/health';
import { runnerApi } from '@knowhow/shared/config/runner';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../../testing/listen-on.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';

async function start(wanted: string, files: Files = {}, more: Record<string, string> = {}) {
  const script = {
    'skills/meeting-notes/scripts/count.sh': 'wc -w\n',
    'config/skills.json': { settings: { allowScriptExecution: true } },
  };
  const server = await startTestServer({
    files: { ...script, ...files },
    environment: { SCRIPT_RUNNER: wanted, ...more },
  });
  onTestFinished(server.close);
  return signInAdmin(server);
}

const address = '/api/admin/skills/meeting-notes';
type Admin = Awaited<ReturnType<typeof start>>;
const skillOf = (admin: Admin) => parseAnswer(adminSkillsApi.get.response, admin(address));
const change = (admin: Admin, json: object) => admin(address, { method: 'PUT', json });

test('scripts are not mentioned where none can run', async () => {
  const admin = await start('off');
  const ready = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
  expect(ready).not.toHaveProperty('scripts');
  expect((await skillOf(admin)).scripts).toEqual({
    allowed: false,
    approved: false,
    outdated: false,
    files: ['scripts/count.sh'],
  });
});

describe.runIf(sandbox)('with a runner', () => {
  test('its kind is reported', async () => {
    const admin = await start('auto');
    const { scripts } = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
    expect(scripts).toEqual({ tier: 'bubblewrap', status: 'ready' });
  });

  test("a skill's scripts are allowed, and approved in their current version", async () => {
    const admin = await start('bubblewrap');
    expect((await change(admin, { allowScriptExecution: true })).status).toBe(200);
    const { checksum, scripts } = await skillOf(admin);
    expect(scripts).toMatchObject({ allowed: true, approved: false });
    expect((await change(admin, { approvedScripts: 'a'.repeat(64) })).status).toBe(409);
    expect((await change(admin, { approvedScripts: checksum })).status).toBe(200);
    expect((await skillOf(admin)).scripts).toMatchObject({ allowed: true, approved: true });
    expect((await change(admin, { approvedScripts: '' })).status).toBe(200);
    const { approved, outdated } = (await skillOf(admin)).scripts;
    expect({ approved, outdated }).toEqual({ approved: false, outdated: false });
  });

  test('an approval ends when any file changes', async () => {
    const admin = await start('bubblewrap');
    const { checksum } = await skillOf(admin);
    await change(admin, { allowScriptExecution: true, approvedScripts: checksum });
    const edited = await admin(`${address}/files/scripts/count.sh`, {
      method: 'PUT',
      body: 'wc -l\n',
      headers: { 'If-Match': `"${checksum}"`, 'Content-Type': 'application/octet-stream' },
    });
    expect(edited.status).toBeLessThan(300);
    const expected = { allowed: true, approved: false, outdated: true };
    expect((await skillOf(admin)).scripts).toMatchObject(expected);
  });

  test.each([
    ['says false', { settings: { allowScriptExecution: false } }],
    ['does not say', { settings: {} }],
    ['has no settings', {}],
  ])('no script runs if the file %s, and a skill that allows it is an issue', async (_, said) => {
    const admin = await start('bubblewrap', {
      'config/skills.json': {
        ...said,
        skills: { 'meeting-notes': { allowScriptExecution: true } },
      },
    });
    expect((await skillOf(admin)).scripts).toMatchObject({ allowed: false });
    const runner = await parseAnswer(runnerApi.state.response, admin('/api/admin/runner'));
    expect(runner).toMatchObject({ tier: 'bubblewrap', refused: true });
    const { items } = await parseAnswer(healthApi.faults.response, admin('/api/admin/faults'));
    expect(items).toEqual([
      expect.objectContaining({
        field: 'skills.meeting-notes.allowScriptExecution',
        message: expect.stringContaining('settings.allowScriptExecution is not true'),
      }),
    ]);
  });
});

test('the progress of a running synchronisation can be queried', async () => {
  let goOn = () => {};
  const port = await listenOn(
    createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.method === 'GET') {
        response.end(JSON.stringify({ version: 1, runtimes: { sh: '5.2' }, skills: [] }));
        return;
      }
      goOn = () => response.end('{}');
    }),
  );
  const allowed = { 'meeting-notes': { allowScriptExecution: true } };
  const admin = await start(
    'remote',
    { 'config/skills.json': { settings: { allowScriptExecution: true }, skills: allowed } },
    { SCRIPT_RUNNER_URL: `http://127.0.0.1:${port}`, SCRIPT_RUNNER_TOKEN: 'a token for a test' },
  );
  const state = () => parseAnswer(runnerApi.state.response, admin('/api/admin/runner'));
  const answer = admin('/api/admin/runner/sync', { json: {} });
  await waitFor(async () => (await state()).syncing !== undefined);
  expect((await state()).syncing).toEqual({ done: 0, total: 1 });
  goOn();
  const result = await parseAnswer(runnerApi.sync.response, answer);
  expect(result).toMatchObject({ synced: 1, removed: 0, errors: [] });
  const { syncing, lastSync } = await state();
  expect([syncing, lastSync]).toEqual([undefined, result]);
});
