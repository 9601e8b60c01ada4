import { meSchema } from '@knowhow/shared/access/auth';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { type Browser, openOidcStage } from '../../../testing/oidc-stage.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { adminPassword, type Visitor } from '../../../testing/start-test-server.ts';

const me = async (browser: Browser) =>
  meSchema.parse(await (await browser.ask('/api/auth/me')).json());

const errorIn = (address: string) => new URL(address, 'http://own').searchParams.get('error');

const listed = async (admin: Visitor, path: string) =>
  ((await (await admin(path)).json()) as { items: Record<string, unknown>[] }).items;

test('no account is taken over by a user of the same name; new and removed users are rejected', async () => {
  let verified = true;
  const stage = await openOidcStage({
    claims: (account) => ({
      preferred_username: account === 'second' ? 'ann' : account,
      email: `${account}@example.org`,
      email_verified: verified,
      groups: account === 'boss' ? ['bosses'] : [],
    }),
    provider: { allow: { groups: ['bosses'], emails: ['@example.org'] } },
  });
  const { server, browser, signIn } = stage;
  const admin = await signInAdmin(server);
  const local = { username: 'ann', name: 'Local Ann', groups: [], password: adminPassword };
  await admin('/api/admin/users', { json: local });
  const windows = { ann: browser(), second: browser(), admin: browser() };
  for (const [account, window] of Object.entries(windows)) {
    expect(await signIn(window, account)).toBe('/');
  }
  const users = await listed(admin, '/api/admin/users');
  const names = users.map(({ username }) => username);
  expect(names.sort()).toEqual(['admin', 'ann', 'ann-main', 'ann-main-2', 'user']);
  expect(users.find(({ username }) => username === 'ann')).toMatchObject({ name: 'Local Ann' });
  expect((await me(windows.admin)).isAdmin).toBe(false);
  // The same account again, whatever its current name.
  const before = (await me(windows.ann)).id;
  expect(await signIn(windows.ann, 'ann')).toBe('/');
  expect((await me(windows.ann)).id).toBe(before);
  // A restore of all data keeps the session and the identity.
  await importBackup(admin, await exportBackup(admin, '?data=true'));
  expect((await me(windows.ann)).id).toBe(before);
  expect(await signIn(windows.ann, 'ann')).toBe('/');
  expect((await me(windows.ann)).id).toBe(before);
  // It has no password, and none can be set.
  const login = { username: 'ann-main', password: adminPassword };
  expect((await admin(`/api/admin/users/${before}/reset-password`, { json: {} })).status).toBe(409);
  expect((await server.visitor()('/api/auth/login', { json: login })).status).toBe(401);
  const factor = await windows.ann.ask('/api/account/second-factor', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: adminPassword }),
  });
  expect([factor.status, await factor.text()]).toEqual([
    409,
    expect.stringContaining('You sign in with Company account'),
  ]);

  // Unless an administrator links the sign-in to the existing account.
  const moveTo = (id: unknown) =>
    admin(`/api/admin/users/${before}/move-sign-in`, { json: { to: id } });
  const idOf = (username: string) => users.find((each) => each.username === username)?.id;
  expect((await moveTo(idOf('admin'))).status).toBe(409);
  expect((await moveTo(idOf('ann-main-2'))).status).toBe(409);
  const moved = await moveTo(idOf('ann'));
  expect(await moved.json()).toMatchObject({ username: 'ann', directory: { provider: 'main' } });
  expect((await me(windows.ann)).anonymous).toBe(true);
  const formerly = { username: 'ann', password: adminPassword };
  expect((await server.visitor()('/api/auth/login', { json: formerly })).status).toBe(401);
  expect(await signIn(windows.ann, 'ann')).toBe('/');
  expect((await me(windows.ann)).id).toBe(idOf('ann'));
  expect((await moveTo(idOf('ann'))).status).toBe(409);
  const [entry] = await listed(admin, '/api/admin/audit?kind=user');
  expect(entry).toMatchObject({
    ...{ action: 'sign-in-moved', target: 'ann', after: { from: 'ann-main', provider: 'main' } },
  });

  // An unverified address grants no access, and ends existing sessions.
  verified = false;
  expect(await signIn(browser(), 'boss')).toBe('/');
  expect(errorIn(await signIn(browser(), 'ann'))).toBe('not-allowed');
  expect((await me(windows.ann)).anonymous).toBe(true);
  const entries = await listed(admin, '/api/admin/audit?kind=session&query=ended');
  expect(entries[0]).toMatchObject({
    ...{ action: 'ended', target: 'ann', userName: 'main' },
    after: { provider: 'main', reason: 'not-allowed', sessions: 1 },
  });
  const boss = (await listed(admin, '/api/admin/users')).find(({ name }) => name === 'boss');
  await admin(`/api/admin/users/${boss?.id}`, { method: 'PUT', json: { disabled: true } });
  expect(errorIn(await signIn(browser(), 'boss'))).toBe('disabled');
});
