import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { meSchema } from '@knowhow/shared/access/auth';
import { api } from '@knowhow/shared/api';
import jsonwebtoken from 'jsonwebtoken';
import { afterEach, describe, expect, test } from 'vitest';
import {
  adminPassword,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
afterEach(() => server.close());

const me = async (visitor: Visitor) => meSchema.parse(await (await visitor('/api/auth/me')).json());
const login = (visitor: Visitor, username = 'admin', password = adminPassword) =>
  visitor('/api/auth/login', { json: { username, password } });

describe('visitors', () => {
  test('without an account get their own session, in a cookie that scripts cannot read', async () => {
    const answers = { imageHosts: ['images.example.org'] };
    server = await startTestServer({ files: { 'config/platform.json': { answers } } });
    const [one, other] = [server.visitor(), server.visitor()];
    const response = await one('/api/auth/me');
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^knowhow_session=.+HttpOnly; SameSite=Lax$/,
    );
    expect(await me(one)).toMatchObject({
      ...{ anonymous: true, isAdmin: false, groups: ['anonymous'] },
      ...answers,
    });
    expect((await me(one)).id).toBe((await me(one)).id);
    expect((await me(one)).id).not.toBe((await me(other)).id);
  });

  test('have to sign in if anonymous access is off', async () => {
    server = await startTestServer({
      files: { 'config/platform.json': { anonymousAuth: { enabled: false } } },
    });
    const visitor = server.visitor();
    expect(await me(visitor)).toMatchObject({ mayChat: false, groups: [] });
    for (const path of [
      '/api/apps',
      '/api/skills',
      '/api/models',
      '/api/prompts',
      '/api/conversations',
    ]) {
      expect((await visitor(path)).status).toBe(401);
    }
    expect((await takeTurn(visitor, { message: 'A' })).status).toBe(401);
    await login(visitor);
    expect((await visitor('/api/apps')).status).toBe(200);
  });

  test('have to sign in beyond loopback unless anonymous access is on', async () => {
    server = await startTestServer({ environment: { HOST: '0.0.0.0' } });
    expect(await me(server.visitor())).toMatchObject({ mayChat: false });
    expect(server.app.warnings).toEqual([]);
    await server.close();
    server = await startTestServer({
      environment: { HOST: '0.0.0.0' },
      files: { 'config/platform.json': { anonymousAuth: { enabled: true } } },
    });
    expect(await me(server.visitor())).toMatchObject({ mayChat: true });
    expect(server.app.warnings).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('grants admin rights for the password; signing out ends the session permanently', async () => {
    server = await startTestServer();
    const visitor = server.visitor();
    const response = await login(visitor);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(await me(visitor)).toMatchObject({ name: 'Admin', isAdmin: true, anonymous: false });
    expect((await visitor('/api/admin/faults')).status).toBe(200);
    expect((await visitor('/api/auth/logout', { method: 'POST' })).status).toBe(204);
    const replayed = await fetch(`${server.url}/api/auth/me`, { headers: { cookie } });
    expect(await replayed.json()).toMatchObject({ anonymous: true });
  });

  test('works with a bearer token too', async () => {
    server = await startTestServer();
    const cookie = (await login(server.visitor())).headers.getSetCookie()[0] ?? '';
    const token = /=([^;]+)/.exec(cookie)?.[1];
    const response = await fetch(`${server.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toMatchObject({ isAdmin: true });
  });

  test('rejects a wrong name and a wrong password with the same message, and slows down', async () => {
    server = await startTestServer({
      files: { 'config/platform.json': { rateLimit: { failedLogins: 2 } } },
    });
    const visitor = server.visitor();
    const wrong = await login(visitor, 'admin', 'nonsense');
    expect(wrong.status).toBe(401);
    const unknown = await login(visitor, 'nobody', 'nonsense');
    expect(await unknown.text()).toBe(await wrong.text());
    const limited = await login(visitor);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('generates a random password on the first start, shown once, and never a fixed one', async () => {
    const passwords = [];
    for (let round = 0; round < 2; round += 1) {
      server = await startTestServer({ environment: { ADMIN_PASSWORD: '' } });
      passwords.push(server.newAdminPassword);
      await server.close();
    }
    expect(passwords[0]).toMatch(/^\w{20}$/);
    expect(passwords[0]).not.toBe(passwords[1]);
    const { folder } = server;
    server = await startTestServer({ folder, environment: { ADMIN_PASSWORD: '' } });
    expect(server.newAdminPassword).toBeUndefined();
    expect((await login(server.visitor(), 'admin', passwords[1])).status).toBe(200);
  });

  test('uses a new ADMIN_PASSWORD from the next start on', async () => {
    server = await startTestServer();
    await server.close();
    const environment = { ADMIN_PASSWORD: 'another password' };
    server = await startTestServer({ folder: server.folder, environment });
    expect((await login(server.visitor())).status).toBe(401);
    expect((await login(server.visitor(), 'admin', 'another password')).status).toBe(200);
  });
});

describe('a forged session', () => {
  test.each([
    [
      'signed with another key',
      jsonwebtoken.sign({ kind: 'anonymous', visitorId: 'x' }, randomBytes(32)),
    ],
    [
      'not signed',
      jsonwebtoken.sign({ kind: 'anonymous', visitorId: 'x' }, null, { algorithm: 'none' }),
    ],
    ['nonsense', 'nonsense'],
  ])('%s is not accepted', async (_name, token) => {
    server = await startTestServer();
    const response = await fetch(`${server.url}/api/auth/me`, {
      headers: { cookie: `knowhow_session=${token}` },
    });
    expect(meSchema.parse(await response.json()).id).not.toBe('anonymous:x');
  });
});

test('a user who leaves a group loses its skills at the next request', async () => {
  const member = { apps: ['chat'], models: ['*'] };
  server = await startTestServer({
    files: {
      'config/groups.json': {
        groups: {
          staff: {
            id: 'staff',
            name: 'Staff',
            permissions: { ...member, skills: ['release-notes'] },
          },
          hr: { id: 'hr', name: 'HR', permissions: { skills: ['meeting-notes'] } },
          admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
        },
      },
    },
  });
  const admin = server.visitor();
  await login(admin);
  const user = { username: 'Ann', name: 'Ann', password: 'password of Ann' };
  const created = await admin('/api/admin/users', { json: { ...user, groups: ['staff', 'hr'] } });
  const { id } = adminUsersApi.create.response.parse(await created.json()).user;
  const ann = server.visitor();
  await login(ann, 'ann', 'password of Ann');
  const names = async () => {
    const page = await (await ann('/api/skills')).json();
    return api.skills.list.response.parse(page).items.map(({ name }) => name);
  };
  expect(await names()).toEqual(['meeting-notes', 'release-notes']);
  const { conversationId } = await takeTurn(ann, { message: 'A', skills: ['meeting-notes'] });

  await admin(`/api/admin/users/${id}`, { method: 'PUT', json: { groups: ['staff'] } });
  expect(await names()).toEqual(['release-notes']);
  expect((await ann('/api/skills/meeting-notes')).status).toBe(404);
  const { events, body } = await takeTurn(ann, { message: 'B', conversationId });
  expect(events[1]).toMatchObject({ type: 'skill.ended', name: 'meeting-notes' });
  expect(body).not.toContain('Do the first thing');
  expect(
    (await takeTurn(ann, { message: 'C', conversationId, skills: ['meeting-notes'] })).status,
  ).toBe(404);
});

test('permissions removed from the groups file are gone at the next request', async () => {
  server = await startTestServer();
  const visitor = server.visitor();
  expect((await visitor('/api/skills/meeting-notes')).status).toBe(200);
  const groups = { anonymous: { id: 'anonymous', name: 'A', permissions: { apps: ['*'] } } };
  await writeFile(join(server.folder, 'contents/config/groups.json'), JSON.stringify({ groups }));
  await waitFor(async () => (await visitor('/api/skills/meeting-notes')).status === 404);
  expect(await (await visitor('/api/models')).json()).toEqual({ items: [], total: 0 });
});
