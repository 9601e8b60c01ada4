import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { meSchema } from '@knowhow/shared/access/auth';
import { adminApi } from '@knowhow/shared/config/admin';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  adminPassword,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  server = await startTestServer();
  admin = server.visitor();
  await login(admin, 'admin', adminPassword);
});
afterEach(() => server.close());

const login = (visitor: Visitor, username: string, password: string) =>
  visitor('/api/auth/login', { json: { username, password } });
const me = async (visitor: Visitor) => meSchema.parse(await (await visitor('/api/auth/me')).json());
const problemOf = async (response: Response) => problemSchema.parse(await response.json());
const list = async (query = '') => {
  const page = await (await admin(`/api/admin/users${query}`)).json();
  return adminUsersApi.list.response.parse(page);
};
const create = async (username: string, more: Record<string, unknown> = {}) => {
  const json = { username, name: username.toUpperCase(), groups: [], ...more };
  const response = await admin('/api/admin/users', { json });
  expect(response.status).toBe(200);
  return adminUsersApi.create.response.parse(await response.json());
};
const update = (id: string, json: unknown) =>
  admin(`/api/admin/users/${id}`, { method: 'PUT', json });
const resetPassword = (id: string, json: unknown) =>
  admin(`/api/admin/users/${id}/reset-password`, { json });
const adminId = async () => (await list('?query=admin')).items[0]?.id ?? '';
const auditText = async () => (await admin('/api/admin/audit?kind=user')).text();

describe('a new user', () => {
  test('can sign in with the generated password, which is shown once', async () => {
    const { user, password = '' } = await create('Ann', { groups: ['admins'] });
    expect(user).toMatchObject({ username: 'ann', groups: ['admins'], isAdmin: true });
    expect(password.length).toBeGreaterThan(15);
    const ann = server.visitor();
    expect((await login(ann, 'ANN', password)).status).toBe(200);
    expect(await me(ann)).toMatchObject({ id: user.id, isAdmin: true });
    const texts = [await auditText(), JSON.stringify(await list())].join();
    expect(texts).not.toContain(password);
    expect(texts).not.toContain('$2b$');
  });

  test('can be given a password, which is then not shown', async () => {
    expect(await create('ben', { password: 'password of Ben' })).not.toHaveProperty('password');
    expect((await login(server.visitor(), 'ben', 'password of Ben')).status).toBe(200);
  });

  test('needs a unique name, even among concurrent requests', async () => {
    const json = { username: 'Ann', name: 'Ann', groups: [] };
    const answers = await Promise.all([1, 2, 3].map(() => admin('/api/admin/users', { json })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && (await problemOf(refused))).toMatchObject({ code: 'name-taken' });
    expect((await list()).total).toBe(2);
  });

  test.each([
    ['username', { username: ' ', name: 'A', groups: [] }],
    ['name', { username: 'a', name: '', groups: [] }],
    ['groups', { username: 'a', name: 'A' }],
    ['password', { username: 'a', name: 'A', groups: [], password: 'short' }],
    ['isAdmin', { username: 'a', name: 'A', groups: [], isAdmin: true }],
  ])('with an invalid %s is rejected', async (path, json) => {
    const refused = await problemOf(await admin('/api/admin/users', { json }));
    expect(refused).toMatchObject({ code: 'invalid-request', issues: [{ path }] });
  });
});

test('users are found by any part of name, username or group, and paginated', async () => {
  for (const name of ['ann', 'anna', 'ben']) {
    await create(name, { groups: name === 'ben' ? ['authenticated'] : [] });
  }
  const names = async (query: string) => (await list(query)).items.map((user) => user.username);
  expect(await names('')).toEqual(['admin', 'ann', 'anna', 'ben']);
  expect(await names('?query=ANN')).toEqual(['ann', 'anna']);
  expect(await names('?query=authenticated')).toEqual(['ben']);
  expect(await names('?query=%25')).toEqual([]);
  const first = await list('?limit=3');
  expect(first).toMatchObject({ total: 4, nextCursor: expect.any(String) });
  expect(await names(`?limit=3&cursor=${first.nextCursor}`)).toEqual(['ben']);
});

describe('a change', () => {
  test('of groups applies to the next request', async () => {
    const { user, password = '' } = await create('ann');
    const ann = server.visitor();
    await login(ann, 'ann', password);
    expect((await ann('/api/admin/users')).status).toBe(403);
    const changed = await update(user.id, { groups: ['admins'], name: 'Ann A.' });
    expect(adminUsersApi.update.response.parse(await changed.json())).toEqual({
      ...user,
      name: 'Ann A.',
      groups: ['admins'],
      isAdmin: true,
      adminRights: ['*'],
    });
    expect((await ann('/api/admin/users')).status).toBe(200);
  });

  test('that disables a user ends their sessions permanently', async () => {
    const { user, password = '' } = await create('ann');
    const response = await login(server.visitor(), 'ann', password);
    const token = /knowhow_session=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1];
    const sessionOfAnn = async () => {
      const headers = { Authorization: `Bearer ${token}` };
      return meSchema.parse(await (await server.visitor()('/api/auth/me', { headers })).json());
    };
    expect(await sessionOfAnn()).toMatchObject({ id: user.id });
    expect((await update(user.id, { disabled: true })).status).toBe(200);
    expect(await sessionOfAnn()).toMatchObject({ anonymous: true });
    expect((await login(server.visitor(), 'ann', password)).status).toBe(401);
    await update(user.id, { disabled: false });
    expect(await sessionOfAnn()).toMatchObject({ anonymous: true });
    expect((await login(server.visitor(), 'ann', password)).status).toBe(200);
  });

  test('cannot disable oneself, nor the last admin', async () => {
    const id = await adminId();
    const others = { username: 'ann', groups: ['admins'] };
    const refusals: [unknown, string][] = [
      [{ disabled: true }, 'cannot disable yourself'],
      [{ groups: [] }, 'is the last'],
    ];
    for (const [change, words] of refusals) {
      const refused = await problemOf(await update(id, change));
      expect(refused).toMatchObject({ code: 'conflict' });
      expect(refused.detail).toContain(words);
    }
    const { user } = await create(others.username, { groups: others.groups });
    expect((await update(id, { disabled: true })).status).toBe(409);
    await update(user.id, { disabled: true });
    expect((await update(id, { groups: [] })).status).toBe(409);
    await update(user.id, { disabled: false });
    expect((await update(id, { groups: [] })).status).toBe(200);
    expect((await admin('/api/admin/users')).status).toBe(403);
  });
});

describe('a new password', () => {
  test('signs the user out everywhere', async () => {
    const { user, password = '' } = await create('ann');
    const ann = server.visitor();
    await login(ann, 'ann', password);
    const made = adminUsersApi.resetPassword.response.parse(
      await (await resetPassword(user.id, {})).json(),
    );
    expect(await me(ann)).toMatchObject({ anonymous: true });
    expect((await login(ann, 'ann', password)).status).toBe(401);
    expect((await login(ann, 'ann', made.password ?? '')).status).toBe(200);

    const given = await resetPassword(user.id, { password: 'another password' });
    expect(await given.json()).toEqual({});
    expect((await login(ann, 'ann', 'another password')).status).toBe(200);
    const audit = await auditText();
    for (const secret of [password, made.password ?? '', 'another password']) {
      expect(audit).not.toContain(secret);
    }
  });
});

test('the audit log says who did what to which user', async () => {
  const { user } = await create('ann');
  await update(user.id, { name: 'Ann' });
  await resetPassword(user.id, {});
  const { items } = adminApi.audit.response.parse(JSON.parse(await auditText()));
  const what = { kind: 'user', target: 'ann', userName: 'Admin', userId: await adminId() };
  expect(items).toMatchObject([
    { ...what, action: 'reset-password' },
    { ...what, action: 'update', before: { name: 'ANN' }, after: { name: 'Ann' } },
    { ...what, action: 'create', after: user },
  ]);
});

test('unknown users are not found, and only administrators can manage users', async () => {
  const unknown = '6e1b1a3c-3f0b-4a53-9b7e-0d5f6a1c2b3d';
  expect((await update(unknown, { name: 'X' })).status).toBe(404);
  expect((await resetPassword(unknown, {})).status).toBe(404);
  expect((await update('no-uuid', { name: 'X' })).status).toBe(400);
  const { user, password = '' } = await create('ann');
  const ann = server.visitor();
  await login(ann, 'ann', password);
  const calls: [string, { method?: string; json?: unknown }][] = [
    ['/api/admin/users', {}],
    ['/api/admin/users', { json: { username: 'x', name: 'x', groups: ['admins'] } }],
    [`/api/admin/users/${user.id}`, { method: 'PUT', json: { groups: ['admins'] } }],
    [`/api/admin/users/${await adminId()}/reset-password`, { json: {} }],
  ];
  for (const [path, init] of calls) {
    expect((await ann(path, init)).status).toBe(403);
    expect((await server.visitor()(path, init)).status).toBe(401);
  }
  const users: User[] = (await list()).items;
  expect(users.map(({ username, isAdmin }) => [username, isAdmin])).toEqual([
    ['admin', true],
    ['ann', false],
  ]);
});
