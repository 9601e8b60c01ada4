import { execFile } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { api } from '@knowhow/shared/api';
import { afterEach, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../testing/sign-in-admin.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../testing/start-test-server.ts';
import { waitFor } from '../../testing/wait-for.ts';

let server: TestServer;
afterEach(() => server.close());

const appNames = async (visitor: Visitor) => {
  const page = api.apps.list.response.parse(await (await visitor('/api/apps')).json());
  return page.items.map(({ id, name }) => [id, name]);
};

/** Signs in once, because the check is repeated while waiting. */
const admins = new WeakMap<TestServer, Promise<Visitor>>();

async function faults(): Promise<unknown[]> {
  const admin = await (admins.get(server) ?? signInAdmin(server));
  admins.set(server, Promise.resolve(admin));
  const response = await admin('/api/admin/faults');
  return api.health.faults.response.parse(await response.json()).items;
}

const deep = '['.repeat(20_000) + ']'.repeat(20_000);

const write = (path: string, text: string) =>
  writeFile(join(server.folder, 'contents', path), text);

test("accepts greetings and starter prompts in iHub's formats", async () => {
  server = await startTestServer();
  const visitor = server.visitor();
  const app = {
    id: 'writer',
    name: 'Writer',
    greeting: { en: { title: 'Hello', subtitle: 'What now?' }, de: { title: 'Hallo' } },
    starterPrompts: [
      { text: { en: 'A proposal', de: 'Ein Angebot' } },
      { en: 'A letter', de: 'Ein Brief' },
      { title: 'Mail', outcome: { de: 'Eine Mail' }, message: 'Write a mail.' },
    ],
  };
  await write('apps/writer.json', JSON.stringify(app));
  await waitFor(async () => (await appNames(visitor)).length === 2);
  const seen = api.apps.get.response.parse(await (await visitor('/api/apps/writer')).json());
  expect(seen.greeting).toEqual({
    title: { en: 'Hello', de: 'Hallo' },
    subtitle: { en: 'What now?' },
  });
  expect(seen.starterPrompts).toEqual([
    {
      title: { en: 'A proposal', de: 'Ein Angebot' },
      message: { en: 'A proposal', de: 'Ein Angebot' },
    },
    { title: { en: 'A letter', de: 'Ein Brief' }, message: { en: 'A letter', de: 'Ein Brief' } },
    { title: 'Mail', outcome: { de: 'Eine Mail' }, message: 'Write a mail.' },
  ]);
});

test.each([
  ['greeting', { title: 7 }],
  ['greeting', { subtitle: 'Only this' }],
  ['starterPrompts', [{ title: 'Without a message' }]],
  ['starterPrompts', [{ title: 'A mail', message: 'Write.', outcome: 7 }]],
])('reports an app with an invalid %s: %j', async (field, value) => {
  server = await startTestServer();
  await write('apps/wrong.json', JSON.stringify({ id: 'wrong', name: 'Wrong', [field]: value }));
  await waitFor(async () => (await faults()).length === 1);
  expect(await faults()).toMatchObject([
    { path: 'contents/apps/wrong.json', field: expect.stringMatching(new RegExp(`^${field}`)) },
  ]);
});

describe('a changed file', () => {
  test('takes effect without a restart', async () => {
    server = await startTestServer();
    const visitor = server.visitor();
    await write('apps/new.json', JSON.stringify({ id: 'new', name: 'New', order: -1 }));
    await waitFor(async () => (await appNames(visitor)).length === 2);
    expect(await appNames(visitor)).toEqual([
      ['new', 'New'],
      ['chat', { en: 'Chat', de: 'Chat' }],
    ]);
    await rm(join(server.folder, 'contents/apps/new.json'));
    await waitFor(async () => (await appNames(visitor)).length === 1);
  });

  test('that is broken is reported by path and field, and its last good state stays active', async () => {
    server = await startTestServer();
    const visitor = server.visitor();
    await write('apps/chat.json', '{"id": "chat", "name": 7}');
    await waitFor(async () => (await faults()).length === 1);
    expect(await faults()).toMatchObject([{ path: 'contents/apps/chat.json', field: 'name' }]);
    expect(await appNames(visitor)).toEqual([['chat', { en: 'Chat', de: 'Chat' }]]);
    await write('apps/chat.json', '{"id": "chat", "name": "Fixed"}');
    await waitFor(async () => (await faults()).length === 0);
    expect(await appNames(visitor)).toEqual([['chat', 'Fixed']]);
  });

  test('with the groups that was deleted is reported, and administrators keep their permissions', async () => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const contents = join(server.folder, 'contents');
    await rename(contents, join(server.folder, 'elsewhere'));
    await waitFor(async () => (await faults()).length > 0);
    expect(await faults()).toMatchObject([
      { path: 'contents/config/groups.json', message: expect.stringContaining('is gone') },
    ]);
    expect((await admin('/api/admin/status')).status).toBe(200);
    await rename(join(server.folder, 'elsewhere'), contents);
    await waitFor(async () => (await faults()).length === 0);
  });

  test('that is a pipe is reported and blocks nothing', async () => {
    server = await startTestServer();
    const visitor = server.visitor();
    await promisify(execFile)('mkfifo', [join(server.folder, 'contents/apps/pipe.json')]);
    await waitFor(async () => (await faults()).length === 1);
    expect(await faults()).toMatchObject([
      { path: 'contents/apps/pipe.json', message: 'Cannot be read: it is not a file.' },
    ]);
    await write('apps/new.json', JSON.stringify({ id: 'new', name: 'New' }));
    await waitFor(async () => (await appNames(visitor)).length === 2);
  });

  test('with a group inheritance cycle is rejected, and the cycle is named', async () => {
    server = await startTestServer();
    const groups = {
      a: { id: 'a', name: 'A', inherits: ['b'] },
      b: { id: 'b', name: 'B', inherits: ['c'] },
      c: { id: 'c', name: 'C', inherits: ['b'] },
    };
    await write('config/groups.json', JSON.stringify({ groups }));
    await waitFor(async () =>
      (
        await server
          .visitor()('/api/ready')
          .then((r) => r.text())
      ).includes('"faults":1'),
    );
    // The previous groups, which let the admin in, are still active.
    expect(await faults()).toMatchObject([
      { path: 'contents/config/groups.json', message: expect.stringContaining('b > c > b') },
    ]);
  });
});

describe('at startup', () => {
  test.each([
    ['not JSON', '{', 'Not valid JSON'],
    ['more than 4 MiB', `{"a": "${'a'.repeat(4 * 1024 * 1024)}"}`, 'at most 4194304 bytes'],
    ['more levels than a stack can hold', `{"a": ${deep}}`, 'levels deep'],
    ['an invalid id', '{"id": "../x", "name": "X"}', 'An id has'],
    ['the id of another file', '{"id": "chat", "name": "X"}', 'already has the id'],
  ])('a file with %s is reported and the others are served', async (_name, text, message) => {
    server = await startTestServer({ files: { 'apps/odd.json': text } });
    expect(await faults()).toMatchObject([
      { path: 'contents/apps/odd.json', message: expect.stringContaining(message) },
    ]);
    expect(await appNames(server.visitor())).toHaveLength(1);
  });

  test('an empty contents folder works and grants nothing', async () => {
    server = await startTestServer();
    await server.close();
    await rm(join(server.folder, 'contents'), { recursive: true });
    await mkdir(join(server.folder, 'contents'));
    server = await startTestServer({ folder: server.folder });
    expect(await appNames(server.visitor())).toEqual([]);
    expect((await server.visitor()('/api/ready')).status).toBe(200);
  });

  test('placeholders are filled from the environment, and unknown iHub fields are ignored', async () => {
    server = await startTestServer({
      environment: {
        APP_NAME: 'Filled',
        KNOWHOW_PLACE: 'here',
        OPENAI_API_KEY: 'sk-secret',
        PGPASSWORD: 'sk-secret',
      },
      files: {
        'config/platform.json': { placeholders: ['APP_NAME'] },
        'apps/chat.json': {
          id: 'chat',
          name: '${APP_NAME}',
          description: '${NOT_SET:-a default}, ${KNOWHOW_PLACE}',
          greeting: '${NOT_SET}',
          inputMode: { type: 'multiline' },
          starterPrompts: [{ title: 'Key', message: '${OPENAI_API_KEY:-none}' }],
        },
      },
    });
    const page = await (await server.visitor()('/api/apps/chat')).json();
    expect(page).toMatchObject({
      name: 'Filled',
      description: 'a default, here',
      greeting: { title: '${NOT_SET}' },
    });
    expect(JSON.stringify(page)).not.toMatch(/inputMode|sk-secret/);
  });
});

test('shows a missing API key to admins, hides such models from users, and hides URLs and keys from everyone', async () => {
  server = await startTestServer({
    environment: { PAID_API_KEY: 'secret-key', MODEL_HOSTS: 'paid.example' },
    files: {
      'models/paid.json': {
        id: 'paid',
        modelId: 'p',
        name: 'Paid',
        provider: 'openai',
        url: 'https://paid.example/v1',
      },
      'models/waiting.json': {
        id: 'waiting',
        modelId: 'w',
        name: 'Waiting',
        provider: 'anthropic',
      },
    },
  });
  const visitor = server.visitor();
  const list = async () =>
    api.models.list.response.parse(await (await visitor('/api/models')).json()).items;
  expect((await list()).map(({ id }) => id)).toEqual(['scripted', 'paid']);
  await visitor('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
  expect(await list()).toContainEqual(
    expect.objectContaining({ id: 'waiting', needs: 'needs ANTHROPIC_API_KEY' }),
  );
  expect(JSON.stringify(await list())).not.toMatch(/secret-key|paid\.example/);
});

const adminAt = async (visitor: Visitor) =>
  api.auth.me.response.parse(await (await visitor('/api/auth/me')).json()).adminRights;

test('a group without id and name gets those of its key and can be changed', async () => {
  const groups = {
    admins: { permissions: { adminAccess: true, apps: ['*'] } },
    'it-staff': { inherits: ['admins'], name: 'IT' },
    readers: { id: 'readers' },
  };
  server = await startTestServer({ files: { 'config/groups.json': { groups } } });
  const admin = await signInAdmin(server);
  expect(await adminAt(admin)).toEqual(['*']);
  expect(await faults()).toEqual([]);
  const list = await (await admin('/api/admin/groups')).json();
  expect(api.adminGroups.list.response.parse(list).items.map(({ config }) => config)).toMatchObject(
    [
      { id: 'admins', name: 'admins' },
      { id: 'it-staff', name: 'IT' },
      { id: 'readers', name: 'readers' },
    ],
  );
  const json = { groups: ['readers', 'it-staff'] };
  const assigned = await admin('/api/admin/skills/meeting-notes', { method: 'PUT', json });
  expect(assigned.status).toBe(200);
});

describe('a groups.json that is broken at startup', () => {
  const admins = { id: 'admins', name: 'Admins', permissions: { adminAccess: true } };
  test.each<[string, unknown]>([
    ['not JSON', '{'],
    ['empty', ''],
    ['a list', []],
    ['null', 'null'],
    ['without groups', {}],
    ['groups as a list', { groups: [admins] }],
    ['groups as null', { groups: null }],
    ['another group that is invalid', { groups: { admins, b: 7, c: { name: {} } } }],
    ['a key that is not an id', { groups: { admins, 'Sales & more': {} } }],
    ['an inheritance cycle', { groups: { admins: { ...admins, inherits: ['admins'] } } }],
    ['administrators with an invalid name', { groups: { admins: { ...admins, name: 7 } } }],
    ['administrators with an invalid list', { groups: { admins: { ...admins, inherits: 7 } } }],
    [
      'administrators with an invalid permission',
      { groups: { admins: { permissions: { adminAccess: 'yes' } } } },
    ],
    [
      'administrators by inheritance',
      { groups: { admins: { inherits: ['root'] }, root: { ...admins, id: 'root', quotas: 7 } } },
    ],
  ])('keeps administrators despite: %s', async (_, file) => {
    server = await startTestServer({ files: { 'config/groups.json': file as object } });
    const admin = await signInAdmin(server);
    expect(await adminAt(admin)).toEqual(['*']);
    const found = (await faults()) as { path: string }[];
    expect(found.filter(({ path }) => path === 'contents/config/groups.json').length).toBe(2);
    // Guests gain no permissions.
    expect(await adminAt(server.visitor())).toBeUndefined();
    await write('config/groups.json', JSON.stringify({ groups: { admins } }));
    await waitFor(async () => (await faults()).length === 0);
  });

  test('gives no user more permissions than the file does', async () => {
    const groups = {
      root: { id: 'root', name: 'Root', permissions: { adminAccess: true }, quotas: 7 },
      admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: ['skills'] } },
    };
    server = await startTestServer({ files: { 'config/groups.json': { groups } } });
    expect(await adminAt(await signInAdmin(server))).toEqual(['skills']);
  });
});
