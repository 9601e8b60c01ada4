import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { pluginsApi } from '@knowhow/shared/skills/plugins';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { handlerPlugin } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
let admin: Visitor;

const manifest = {
  id: 'office',
  skills: [
    {
      id: 'letters',
      description: 'Writes letters.',
      source: { kind: 'inline', content: 'Write a letter.' },
      defaultEnabled: true,
    },
    {
      id: 'quiet',
      description: 'Is quiet.',
      source: { kind: 'file', path: 'quiet.md' },
      defaultEnabled: false,
    },
  ],
  hooks: {},
};

beforeEach(async () => {
  const plugin = {
    'office/plugin.json': JSON.stringify(manifest),
    'office/quiet.md': 'Be quiet.',
    'office/skills/notes/SKILL.md': skillFile('plugin-notes', 'Takes notes.'),
    'broken/plugin.json': '{ "hubId" }',
    'broken/handler.js': 'module.exports.runtime = { handler: async () => "" };',
    ...handlerPlugin('letter-counter'),
  };
  server = await startTestServer({
    files: {
      ...Object.fromEntries(
        Object.entries(plugin).map(([path, text]) => [`plugins/${path}`, text]),
      ),
      'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
    },
  });
  await server.app.ready;
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const skill = async (name: string) =>
  parseAnswer(adminSkillDetailSchema, await admin(`/api/admin/skills/${name}`));
const plugins = async () => {
  const answer = await parseAnswer(pluginsApi.list.response, admin('/api/admin/plugins'));
  return answer.plugins;
};
const change = (id: string, json: unknown) =>
  admin(`/api/admin/plugins/${id}`, { method: 'PATCH', json });
const inPlugin = (path: string) => join(server.folder, 'contents/plugins', path);
/** Names of the skills that users can use in the app. */
const offered = async () => {
  const answer = await admin('/api/skills?app=chat');
  const { items } = (await answer.json()) as { items: { name: string }[] };
  return items.map(({ name }) => name);
};

test("a plugin's skills are read-only, with their plugin and its trust", async () => {
  expect(await skill('letters')).toMatchObject({
    source: 'plugin',
    location: 'plugin:office/letters',
    writable: false,
    status: 'on',
    plugin: { id: 'office', enabled: true, trusted: false },
    updatedAt: expect.stringMatching(/^20/),
  });
  expect(await skill('quiet')).toMatchObject({ status: 'off' });
  expect(await skill('plugin-notes')).toMatchObject({ source: 'plugin', status: 'on' });
  expect(await skill('letter-counter')).toMatchObject({ source: 'plugin', status: 'off' });
  const path = '/api/admin/skills/letters/files/SKILL.md';
  expect((await admin(path, { method: 'PUT', body: 'x' })).ok).toBe(false);
  expect((await change('office', { trusted: true })).status).toBe(200);
  expect(await skill('letters')).toMatchObject({ plugin: { trusted: true } });
  const { items } = await parseAnswer(
    adminSkillsApi.list.response,
    admin('/api/admin/skills?source=plugin'),
  );
  expect(items.find(({ name }) => name === 'letters')).toMatchObject({ plugin: { trusted: true } });
});

test('a broken plugin reports it, and hides no other', async () => {
  const list = await admin('/api/admin/skills?query=broken');
  expect(await list.json()).toMatchObject({
    items: [{ status: 'broken', diagnostics: [{ code: 'plugin-json-invalid' }] }],
  });
  expect((await plugins()).map(({ id }) => id)).toEqual(['broken', 'letter-counter', 'office']);
});

test('its skills are switched off and on with it, and decisions on them stay', async () => {
  const json = { action: 'switch', names: ['quiet'], enabled: true };
  await admin('/api/admin/skills/bulk', { method: 'POST', json });
  expect(await offered()).toEqual(expect.arrayContaining(['letters', 'quiet']));
  await change('office', { enabled: false });
  expect(await offered()).not.toEqual(expect.arrayContaining(['letters']));
  expect(await skill('quiet')).toMatchObject({ status: 'off' });
  await change('office', { enabled: true });
  expect(await offered()).toEqual(expect.arrayContaining(['letters', 'quiet']));
});

test("a plugin's global skill is offered everywhere once an admin agrees", async () => {
  expect(await skill('letters')).toMatchObject({ global: false });
  const office = (await plugins()).find(({ id }) => id === 'office');
  expect(office?.skills).toEqual([
    { name: 'letters', wantsEverywhere: true, isEverywhere: false },
    { name: 'quiet', wantsEverywhere: false, isEverywhere: false },
    { name: 'plugin-notes', wantsEverywhere: false, isEverywhere: false },
  ]);
  const changed = parseAnswer(pluginsApi.update.response, change('office', { everywhere: true }));
  expect((await changed).skills.map(({ isEverywhere }) => isEverywhere)).toEqual([
    true,
    false,
    false,
  ]);
  expect(await skill('letters')).toMatchObject({ global: true });
  expect(await skill('plugin-notes')).toMatchObject({ global: false });
});

test('a changed file changes only its own skill', async () => {
  const before = await skill('letters');
  await writeFile(inPlugin('office/skills/notes/SKILL.md'), skillFile('plugin-notes', 'Is new.'));
  await waitFor(async () => (await skill('plugin-notes')).description === 'Is new.');
  expect((await skill('letters')).checksum).toBe(before.checksum);
});

test('a copy of one of its skills is local and can be changed', async () => {
  const json = { name: 'my-letters' };
  const response = await admin('/api/admin/skills/letters/duplicate', { method: 'POST', json });
  expect(response.ok).toBe(true);
  expect(await skill('my-letters')).toMatchObject({ source: 'local', writable: true });
});

test('deleting it deletes its skills', async () => {
  expect((await admin('/api/admin/plugins/office', { method: 'DELETE' })).status).toBe(200);
  expect((await admin('/api/admin/skills/letters')).status).toBe(404);
  expect((await plugins()).map(({ id }) => id)).not.toContain('office');
  expect((await change('office', { enabled: true })).status).toBe(404);
});

test('its skills disappear with its folder', async () => {
  await rm(inPlugin('office'), { recursive: true });
  await waitFor(async () => (await admin('/api/admin/skills/letters')).status === 404);
});
