import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminApi } from '@knowhow/shared/config/admin';
import { skillToolSettingsApi } from '@knowhow/shared/skills/skill-tool-settings';
import { skillsApi } from '@knowhow/shared/skills/skills';
import AdmZip from 'adm-zip';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportBackup } from '../../../testing/backup-calls.ts';
import { createTextZip, handlerPlugin } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { runnerToken, startRemoteRunner } from '../../../testing/remote-runner.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

const address = '/api/admin/skills/letter-counter/tool-settings';
const secret = 'k-OPEN-SESAME';
const setupArgs = {
  API_KEY: { type: 'string', required: true, input: { type: 'password', hint: 'Your key' } },
  UNITS: { type: 'string', required: false, input: { type: 'text', default: 'metric' } },
};
const handler = `module.exports.runtime = {
  handler: async function () { return [this.runtimeArgs.API_KEY, this.runtimeArgs.UNITS].join(); },
};`;

/** With a plugin whose handler returns its settings, imported, on, and allowed to run. */
async function start(
  settings?: Record<string, string>,
  runner: Record<string, string> = { SCRIPT_RUNNER: 'off' },
) {
  const permissions = {
    apps: ['*'],
    models: ['*'],
    skills: ['*'],
    tools: ['*'],
    adminAccess: true,
  };
  const server = await startTestServer({
    environment: runner,
    files: {
      'config/groups.json': { groups: { admins: { id: 'admins', name: 'Admins', permissions } } },
      'config/skills.json': { settings: { allowScriptExecution: true } },
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const files = {
    ...handlerPlugin('letter-counter', { setup_args: setupArgs }),
    'letter-counter/handler.js': handler,
  };
  const imported = await postArchive(admin, 'import', createTextZip(files), 'application/zip');
  expect(imported.ok).toBe(true);
  // As an operator writes it: where nothing runs scripts, the pages do not allow them.
  const entry = {
    enabled: true,
    allowScriptExecution: true,
    ...(settings ? { tool: { settings } } : {}),
  };
  await writeFiles(join(server.folder, 'contents'), {
    'config/skills.json': {
      settings: { allowScriptExecution: true },
      skills: { 'letter-counter': entry },
    },
  });
  await waitFor(async () => {
    const { items } = await parseAnswer(skillsApi.list.response, admin('/api/skills'));
    return items.some(({ name }) => name === 'letter-counter');
  });
  const inFile = () => readFile(join(server.folder, 'contents/config/skills.json'), 'utf8');
  return { server, admin, inFile };
}

type Admin = Awaited<ReturnType<typeof start>>['admin'];
const read = (admin: Admin) => parseAnswer(skillToolSettingsApi.get.response, admin(address));
const put = (admin: Admin, json: object, headers = {}) =>
  admin(address, { method: 'PUT', json, headers });
const settingOf = async (admin: Admin, name: string) =>
  (await read(admin)).settings.find((setting) => setting.name === name);

test("a plugin's settings are described, and entered", async () => {
  const { admin, inFile } = await start();
  expect(await read(admin)).toEqual({
    runsCode: true,
    hosts: [],
    settings: [
      {
        ...{ name: 'API_KEY', hint: 'Your key', required: true, secret: true },
        ...{ isSet: false, inFile: false },
      },
      {
        ...{ name: 'UNITS', required: false, secret: false, default: 'metric' },
        ...{ isSet: false, inFile: false },
      },
    ],
  });
  const settings = { API_KEY: secret, UNITS: 'imperial' };
  const answer = await put(admin, { settings, hosts: ['api.example.org', '*.example.net'] });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(await read(admin));
  expect(await settingOf(admin, 'UNITS')).toMatchObject({ value: 'imperial', isSet: true });
  const { skills } = JSON.parse(await inFile());
  expect(skills['letter-counter'].tool).toEqual({
    hosts: ['api.example.org', '*.example.net'],
    settings: { UNITS: 'imperial' },
  });
  await put(admin, { settings: { API_KEY: null, UNITS: null } });
  expect((await read(admin)).settings.map(({ isSet }) => isSet)).toEqual([false, false]);
  expect((await read(admin)).hosts).toHaveLength(2);
});

test.skipIf(onPostgres())(
  'a secret is never shown again: no response, file, log or backup contains it',
  async () => {
    const { server, admin, inFile } = await start();
    const answer = await put(admin, { settings: { API_KEY: secret } });
    const shown = await read(admin);
    expect(shown.settings[0]).toMatchObject({ isSet: true, inFile: false });
    expect(shown.settings[0]).not.toHaveProperty('value');
    const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit'));
    expect(audit.items[0]).toMatchObject({
      ...{ action: 'settings-changed', target: 'letter-counter' },
      after: { set: ['API_KEY'], entered: ['API_KEY'] },
    });
    const backup = new AdmZip(await exportBackup(admin));
    const detail = await (await admin('/api/admin/skills/letter-counter')).text();
    const data = join(server.folder, 'data');
    const kept = (await readdir(data)).filter((name) => name.startsWith('knowhow.sqlite'));
    const database = await Promise.all(kept.map((name) => readFile(join(data, name), 'latin1')));
    expect(database.join('')).toContain('skill_secrets');
    const texts = [
      ...[await answer.text(), detail, JSON.stringify(audit), await inFile(), ...database],
      ...backup.getEntries().map((entry) => entry.getData().toString('latin1')),
    ];
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  },
);

test('a secret in the file is reported, and moved when it is entered', async () => {
  const { admin, inFile } = await start({ API_KEY: 'k-plain', UNITS: 'metric' });
  expect(await settingOf(admin, 'API_KEY')).toMatchObject({ isSet: true, inFile: true });
  expect(await settingOf(admin, 'API_KEY')).not.toHaveProperty('value');
  await admin('/api/admin/skills/letter-counter', { method: 'PUT', json: { priority: 3 } });
  await put(admin, { settings: { API_KEY: secret } });
  expect(await settingOf(admin, 'API_KEY')).toMatchObject({ isSet: true, inFile: false });
  expect(await inFile()).not.toContain('k-plain');
  const audit = await (await admin('/api/admin/audit')).text();
  expect(audit).not.toContain('k-plain');
});

test.each([
  ['an unknown setting', { settings: { OTHER: 'x' } }],
  ['a URL instead of a host', { hosts: ['https://example.org/'] }],
  ['every host', { hosts: ['*'] }],
])('rejects %s', async (_, json) => {
  const { admin } = await start();
  expect((await put(admin, json)).status).toBe(400);
});

test("another admin's concurrent decision is not overwritten", async () => {
  const { admin } = await start();
  const headers = { 'If-Match': `"${'0'.repeat(64)}"` };
  expect((await put(admin, { settings: { API_KEY: secret } }, headers)).status).toBe(412);
  expect(await settingOf(admin, 'API_KEY')).toMatchObject({ isSet: false });
});

test('a skill without a tool has no settings', async () => {
  const { admin } = await start();
  const other = admin('/api/admin/skills/meeting-notes/tool-settings');
  const answer = await parseAnswer(skillToolSettingsApi.get.response, other);
  expect(answer).toEqual({ runsCode: false, hosts: [], settings: [] });
});

describe.runIf(sandbox)('with a runner', () => {
  test.each(['auto', 'remote'])('the code gets the entered settings: %s', async (wanted) => {
    const { url } = await startRemoteRunner();
    const { admin } = await start(undefined, {
      ...{ SCRIPT_RUNNER: wanted, SCRIPT_RUNNER_URL: url, SCRIPT_RUNNER_TOKEN: runnerToken },
    });
    await put(admin, { settings: { API_KEY: secret, UNITS: 'imperial' } });
    const on = { action: 'switch', names: ['letter-counter'], enabled: true };
    await admin('/api/admin/skills/bulk', { method: 'POST', json: on });
    const json = { input: { text: 'a' } };
    const answer = await admin('/api/admin/tools/letter-counter/try', { json });
    expect(await answer.json()).toMatchObject({ content: `${secret},imperial`, isError: false });
  });
});
