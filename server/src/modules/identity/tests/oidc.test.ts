import { meSchema } from '@knowhow/shared/access/auth';
import { expect, test } from 'vitest';
import { type Browser, openOidcStage } from '../../../testing/oidc-stage.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { defaultFiles } from '../../../testing/start-test-server.ts';

const me = async (browser: Browser) =>
  meSchema.parse(await (await browser.ask('/api/auth/me')).json());

const asJson = (json?: object): RequestInit =>
  json
    ? {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      }
    : {};

const { groups } = defaultFiles['config/groups.json'];

test('a user signs in with a provider, gets the mapped groups, and returns to the requested page', async () => {
  const said: Record<string, unknown> = {
    name: 'Ann\u202e Author\u0000',
    preferred_username: 'Ann',
    realm_access: { roles: ['it', ...Array.from({ length: 500 }, (_, at) => `group-${at}`)] },
  };
  const { server, issuer, browser, signIn } = await openOidcStage({
    claims: () => said,
    provider: { groupsAttribute: 'realm_access.roles', defaultGroups: ['staff', 'unknown'] },
    files: {
      'config/groups.json': {
        groups: {
          ...groups,
          admins: { ...groups.admins, mappings: ['main:it'] },
          staff: { id: 'staff', name: 'Staff' },
        },
      },
    },
  });
  const window = browser();
  expect(await (await window.ask('/api/auth/ways')).json()).toEqual({
    password: true,
    providers: [{ name: 'main', title: 'Company account' }],
  });
  expect(await signIn(window, 'ann', '?returnTo=/c/1%3Fa%3Db%23c')).toBe('/c/1?a=b#c');
  expect(await me(window)).toMatchObject({
    name: 'Ann Author',
    groups: ['admins', 'staff'],
    isAdmin: true,
    anonymous: false,
  });
  expect([...window.cookies.keys()]).toEqual(['knowhow_session']);
  const { items: sessions } = (await (await window.ask('/api/account/sessions')).json()) as {
    items: object[];
  };
  expect(sessions).toMatchObject([{ isCurrent: true, address: '127.0.0.1', browser: 'Chrome' }]);
  const begun = issuer.asked.filter((each) => each === 'GET /auth').length;
  expect(begun).toBe(1);

  // An administrator sees the setup, and tests the claims mapping.
  const ask = async (path: string, json?: object) =>
    (await (await window.ask(`/api/admin/sign-in${path}`, asJson(json))).json()) as object;
  expect(await ask('')).toMatchObject({
    mappings: [{ group: 'admins', names: ['main:it'] }],
    providers: [
      {
        ...{ name: 'main', secretEnv: 'OIDC_MAIN_SECRET', issuer: issuer.issuer },
        addresses: { callback: `${server.url}/api/auth/oidc/main/callback` },
      },
    ],
  });
  expect(await ask('/main/test', {})).toMatchObject({ ok: true, unknownScopes: [] });
  const trial = { sub: 'ben', realm_access: { roles: ['it'] }, email: 'ben@example.org' };
  expect(await ask('/main/claims', { claims: trial })).toMatchObject({
    ...{ outcome: 'admitted', isAdmin: true, groups: ['admins', 'staff'], name: 'ben@example.org' },
    notes: ['email-not-verified'],
  });
  expect(await ask('/main/claims', { claims: { sub: 7 } })).toMatchObject({ outcome: 'claims' });

  const { items: entries } = (await (await window.ask('/api/admin/audit?kind=user')).json()) as {
    items: object[];
  };
  expect(entries).toMatchObject([
    {
      ...{ action: 'create', target: 'ann', userName: 'Ann Author' },
      after: { provider: 'main', groups: ['admins', 'staff'] },
    },
  ]);

  // The directory's groups apply from the next sign-in; those assigned by an admin stay.
  const admin = await signInAdmin(server);
  const users = (await (await admin('/api/admin/users')).json()) as {
    items: { id: string; username: string }[];
  };
  const id = users.items.find(({ username }) => username === 'ann')?.id;
  await admin(`/api/admin/users/${id}`, { method: 'PUT', json: { groups: ['authenticated'] } });
  said.realm_access = 42;
  said.name = 'Ann Other';
  expect(await signIn(window, 'ann', '?returnTo=//evil.example.org')).toBe('/');
  expect(await me(window)).toMatchObject({
    name: 'Ann Other',
    groups: ['authenticated', 'staff'],
    isAdmin: false,
  });
});
