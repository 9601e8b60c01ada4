import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminApi } from '@knowhow/shared/config/admin';
import {
  adminAppsApi,
  type ConfigItem,
  configItemSchema,
} from '@knowhow/shared/config/admin-config';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;
afterEach(() => server.close());

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<void> {
  server = await startTestServer(options);
  admin = await signInAdmin(server);
}

const fileOf = (path: string) => join(server.folder, 'contents', path);
const textOf = (path: string) => readFile(fileOf(path), 'utf8');
const put = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  admin(`/api/admin/${path}`, { method: 'PUT', json, headers });
const remove = (path: string, headers: Record<string, string> = {}) =>
  admin(`/api/admin/${path}`, { method: 'DELETE', headers });
const itemOf = async (response: Response): Promise<ConfigItem> => {
  expect(response.status).toBe(200);
  return configItemSchema.parse(await response.json());
};
const get = async (path: string) => itemOf(await admin(`/api/admin/${path}`));
const problemOf = async (response: Response) => {
  const body = problemSchema.parse(await response.json());
  expect(response.status).toBe(body.status);
  return body;
};
const listOf = async (kind: string) => {
  const page = await (await admin(`/api/admin/${kind}`)).json();
  return adminAppsApi.list.response.parse(page);
};
const audit = async () => {
  const page = await (await admin('/api/admin/audit')).json();
  const { items } = adminApi.audit.response.parse(page);
  return items.filter(({ kind }) => kind !== 'session' && kind !== 'access');
};

describe.each([
  ['apps', 'app', 'chat', { name: 'New', order: 7 }],
  ['groups', 'group', 'anonymous', { name: 'New', permissions: { skills: ['*'] } }],
  ['models', 'model', 'scripted', { name: 'New', modelId: 'new', provider: 'demo' }],
  ['prompts', 'prompt', 'summary', { name: 'New', prompt: 'Do [this].' }],
])('%s', (kind, auditKind, known, config) => {
  test('are listed, read, written and deleted, and the audit log says who did it', async () => {
    await start();
    const before = await listOf(kind);
    expect(before.items.map(({ id }) => id)).toContain(known);
    expect(await get(`${kind}/${known}`)).toEqual(before.items.find(({ id }) => id === known));

    const created = await itemOf(await put(`${kind}/new`, config));
    expect(created).toMatchObject({ id: 'new', config: { id: 'new', ...config } });
    expect(created.fault).toBeUndefined();
    expect((await listOf(kind)).total).toBe(before.total + 1);

    const changed = await itemOf(await put(`${kind}/new`, { ...config, id: 'new', name: 'Newer' }));
    expect(changed.checksum).not.toBe(created.checksum);
    expect(await get(`${kind}/new`)).toEqual(changed);

    expect((await remove(`${kind}/new`)).status).toBe(204);
    expect(await listOf(kind)).toEqual(before);
    const what = { kind: auditKind, target: 'new', userName: 'Admin' };
    expect(await audit()).toMatchObject([
      { ...what, action: 'delete', before: { name: 'Newer' } },
      { ...what, action: 'update', before: { name: 'New' }, after: { name: 'Newer' } },
      { ...what, action: 'create', after: { id: 'new', ...config } },
    ]);
  });

  test('are unavailable to others, and unknown ones are not found', async () => {
    await start({ files: { 'config/platform.json': { authenticatedGroups: ['anonymous'] } } });
    const user = { username: 'ann', name: 'Ann', password: 'password of Ann' };
    await admin('/api/admin/users', { json: { ...user, groups: [] } });
    const ann = server.visitor();
    await ann('/api/auth/login', { json: { username: 'ann', password: user.password } });
    const address = `/api/admin/${kind}/${known}`;
    const calls = [[{}], [{ method: 'PUT', json: config }], [{ method: 'DELETE' }]] as const;
    for (const [init] of calls) {
      expect((await ann(address, init)).status).toBe(403);
      expect((await server.visitor()(address, init)).status).toBe(401);
    }
    expect(await problemOf(await admin(`/api/admin/${kind}/nope`))).toMatchObject({
      code: 'not-found',
      detail: `There is no ${auditKind} "nope".`,
    });
    expect((await remove(`${kind}/nope`)).status).toBe(404);
    expect(await audit()).toHaveLength(1);
  });

  test('that could not be read back are rejected, naming the field', async () => {
    await start();
    const before = await listOf(kind);
    const wrong = async (body: unknown, path: string) => {
      const { code, issues } = await problemOf(await put(`${kind}/${known}`, body));
      expect(code).toBe('invalid-request');
      expect(issues).toContainEqual(expect.objectContaining({ path }));
    };
    await wrong({ ...config, name: 7 }, 'name');
    await wrong({ ...config, id: 'another' }, 'id');
    await wrong({ ...config, id: null }, 'id');
    await wrong(['list'], '');
    const deep = await admin(`/api/admin/${kind}/${known}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(config).replace('}', `,"x":${'['.repeat(80)}${']'.repeat(80)}}`),
    });
    expect((await problemOf(deep)).issues).toMatchObject([{ code: 'too-deep' }]);
    expect(await listOf(kind)).toEqual(before);
    expect(await audit()).toEqual([]);
  });
});

describe('a file', () => {
  const text = `{
    "id": "chat", "name": "\${KNOWHOW_NAME:-Chat}",
    "skills": ["meeting-notes", "release-notes"],
    "inputMode": { "type": "multiline" }
}
`;

  test('keeps placeholders, unknown fields, order and indentation, and does not write what is unchanged', async () => {
    await start({ environment: { KNOWHOW_NAME: 'Filled' }, files: { 'apps/chat.json': text } });
    const item = await get('apps/chat');
    expect(item).toMatchObject({
      path: 'contents/apps/chat.json',
      text,
      config: { name: '${KNOWHOW_NAME:-Chat}', inputMode: { type: 'multiline' } },
    });
    const { ino } = await stat(fileOf('apps/chat.json'));
    expect(await itemOf(await put('apps/chat', item.config))).toEqual(item);
    expect((await stat(fileOf('apps/chat.json'))).ino).toBe(ino);
    expect(await audit()).toEqual([]);

    await put('apps/chat', { ...item.config, description: 'Red' });
    expect(await textOf('apps/chat.json')).toBe(
      text.replace('"multiline" }', '"multiline" },\n    "description": "Red"'),
    );
    expect(await (await admin('/api/apps/chat')).json()).toMatchObject({
      name: 'Filled',
      description: 'Red',
    });
  });

  test('may have another name than its ID, and a new one never replaces another', async () => {
    const odd = { id: 'odd', name: 'Odd' };
    await start({ files: { 'prompts/from-ihub.json': { ...odd, prompt: 'A' } } });
    await put('prompts/odd', { ...odd, prompt: 'B' });
    expect(JSON.parse(await textOf('prompts/from-ihub.json'))).toEqual({ ...odd, prompt: 'B' });
    const refused = await problemOf(await put('prompts/From-iHub', { name: 'X', prompt: 'X' }));
    expect(refused).toMatchObject({ code: 'conflict' });
    expect(refused.detail).toContain('from-ihub.json');
  });

  test('that is not JSON is shown with its text and error, and can be fixed', async () => {
    await start({ files: { 'apps/odd.json': '{ "id": ' } });
    const item = await get('apps/odd');
    expect(item.config).toBeUndefined();
    expect(item).toMatchObject({
      text: '{ "id": ',
      fault: { message: expect.stringContaining('Not valid JSON') },
    });
    const fixed = await put('apps/odd', { name: 'Odd' }, { 'If-Match': item.checksum });
    expect((await itemOf(fixed)).fault).toBeUndefined();
    expect(JSON.parse(await textOf('apps/odd.json'))).toEqual({ id: 'odd', name: 'Odd' });
  });

  test('that is not writable is a problem that names the file', async () => {
    await start();
    await rm(fileOf('prompts'), { recursive: true });
    await writeFile(fileOf('prompts'), 'in the way');
    expect(await problemOf(await put('prompts/new', { name: 'New', prompt: 'X' }))).toMatchObject({
      code: 'not-writable',
      detail: expect.stringContaining('contents/prompts/new.json'),
    });
  });
});

describe('with If-Match', () => {
  test.each(['"%s"', 'W/"%s"', '%s', '*'])('as %s an unchanged item is written', async (tag) => {
    await start();
    const { checksum } = await get('apps/chat');
    const headers = { 'If-Match': tag.replace('%s', checksum) };
    expect((await put('apps/chat', { name: 'A' }, headers)).status).toBe(200);
    if (tag !== '*') {
      expect((await problemOf(await put('apps/chat', { name: 'B' }, headers))).code).toBe(
        'changed-meanwhile',
      );
      expect((await remove('apps/chat', headers)).status).toBe(412);
      expect((await get('apps/chat')).config).toMatchObject({ name: 'A' });
    }
  });

  test('detects concurrent edits by a text editor, ignoring white space', async () => {
    await start();
    const { checksum, config } = await get('apps/chat');
    const headers = { 'If-Match': checksum };
    await writeFile(fileOf('apps/chat.json'), JSON.stringify(config));
    expect((await put('apps/chat', { ...config, color: 'red' }, headers)).status).toBe(200);

    await writeFile(fileOf('apps/chat.json'), JSON.stringify({ ...config, icon: 'x' }));
    expect((await put('apps/chat', { ...config, color: 'red' }, headers)).status).toBe(412);
    expect(JSON.parse(await textOf('apps/chat.json'))).toEqual({ ...config, icon: 'x' });
  });

  test('does not recreate a deleted item', async () => {
    await start();
    const { checksum } = await get('prompts/summary');
    await remove('prompts/summary');
    const again = await put(
      'prompts/summary',
      { name: 'X', prompt: 'X' },
      { 'If-Match': checksum },
    );
    expect(again.status).toBe(412);
    expect((await listOf('prompts')).total).toBe(0);
  });
});

test('with If-None-Match a new item never replaces another', async () => {
  await start();
  const isNew = { 'If-None-Match': '*' };
  const refused = await put('apps/chat', { name: 'Mine' }, isNew);
  expect((await problemOf(refused)).code).toBe('name-taken');
  expect((await put('apps/mine', { name: 'Mine' }, isNew)).status).toBe(200);
  const both = await Promise.all([
    put('apps/ours', { name: 'One' }, isNew),
    put('apps/ours', { name: 'Two' }, isNew),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('concurrent writes lose nothing', async () => {
  await start();
  const ids = Array.from({ length: 12 }, (_, index) => `group-${index}`);
  const answers = await Promise.all(ids.map((id) => put(`groups/${id}`, { name: id })));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  const found = (await listOf('groups')).items.map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining(ids));
  expect(await audit()).toHaveLength(ids.length);
});

test('thousands of new fields are written at once', async () => {
  await start();
  const fields = Object.fromEntries(Array.from({ length: 8000 }, (_, at) => [`field-${at}`, at]));
  const before = process.cpuUsage();
  const answer = await put('apps/chat', { id: 'chat', name: 'Chat', ...fields });
  const { user } = process.cpuUsage(before);
  expect(answer.status).toBe(200);
  expect(JSON.parse(await textOf('apps/chat.json'))).toMatchObject(fields);
  expect(user / 1000).toBeLessThan(2000);
});
