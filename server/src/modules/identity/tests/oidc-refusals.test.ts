import { generateKeyPairSync } from 'node:crypto';
import { meSchema } from '@knowhow/shared/access/auth';
import { expect, test } from 'vitest';
import { createZip, exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { comeBackWith, type Forged } from '../../../testing/oidc-forge.ts';
import { type Browser, openOidcStage } from '../../../testing/oidc-stage.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';

const me = async (browser: Browser) =>
  meSchema.parse(await (await browser.ask('/api/auth/me')).json());

const errorIn = (address: string) => new URL(address, 'http://own').searchParams.get('error');

const listed = async (admin: Visitor, path: string) =>
  ((await (await admin(path)).json()) as { items: Record<string, unknown>[] }).items;

test('rejects tokens with a wrong audience, issuer, nonce, time or key, or without a signature', async () => {
  const stage = await openOidcStage();
  const { signIn, browser, issuer } = stage;
  const now = Math.floor(Date.now() / 1000);
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  expect(await comeBackWith(stage, {})).toBe('/');
  // Tolerates clock skew.
  expect(await comeBackWith(stage, { claims: { iat: now + 40, exp: now - 40 } })).toBe('/');
  const wrong: Forged[] = [
    { claims: { aud: 'another client' } },
    { claims: { aud: ['knowhow', 'another client'], azp: 'another client' } },
    { claims: { iss: 'https://other.example.org' } },
    { claims: { nonce: 'another' } },
    { claims: { exp: now - 600 } },
    { claims: { nbf: now + 600 } },
    { key: other },
    { header: { alg: 'none' } },
    { header: { kid: 'unknown' } },
  ];
  for (const forged of wrong) {
    expect(errorIn(await comeBackWith(stage, forged)), JSON.stringify(forged)).toBe('not-trusted');
  }
  expect(errorIn(await comeBackWith(stage, { claims: { sub: '' } }))).toBe('not-trusted');
  expect(errorIn(await comeBackWith(stage, { claims: { sub: 'e\u202eve' } }))).toBe('claims');
  const many = Array.from({ length: 6000 }, (_, at) => `group-${at}`);
  expect(errorIn(await comeBackWith(stage, { claims: { groups: many } }))).toBe('claims');

  await issuer.rotateKey();
  const window = browser();
  expect(await signIn(window)).toBe('/');
  expect(await me(window)).toMatchObject({ name: 'Dr ann' });
});

test('a callback is valid once, in the browser and for the provider that it was started with', async () => {
  const { server, issuer, browser } = await openOidcStage();
  const begin = async (window: Browser) => {
    const begun = await window.ask('/api/auth/oidc/main?returnTo=/apps/chat');
    return issuer.browse(begun.headers.get('location') ?? '');
  };
  const end = async (window: Browser, { pathname, search }: URL) =>
    (await window.ask(pathname + search)).headers.get('location') ?? '';
  const [one, other] = [browser(), browser()];
  const back = await begin(one);
  expect(errorIn(await end(other, back))).toBe('not-begun');
  const cookies = [...one.cookies];
  expect(await end(one, back)).toBe('/apps/chat');
  expect(errorIn(await end(one, back))).toBe('not-begun');
  // With all cookies of the first browser: the provider accepts a code once.
  for (const [name, value] of cookies) {
    other.cookies.set(name, value);
  }
  expect(errorIn(await end(other, back))).toBe('not-trusted');

  const mixed = await begin(other);
  mixed.searchParams.set('iss', 'https://other.example.org');
  expect(await end(other, mixed)).toBe(
    '/login?error=not-trusted&provider=main&returnTo=%2Fapps%2Fchat',
  );
  const changed = await begin(other);
  changed.searchParams.set('state', `${changed.searchParams.get('state')}x`);
  expect(errorIn(await end(other, changed))).toBe('not-trusted');
  const denied = await begin(other);
  const state = denied.searchParams.get('state') ?? '';
  denied.search = `?${new URLSearchParams({ error: 'access_denied', state, iss: issuer.issuer })}`;
  expect(errorIn(await end(other, denied))).toBe('cancelled');
  expect((await other.ask('/api/auth/oidc/none')).status).toBe(404);
  expect((await me(other)).anonymous).toBe(true);

  const audit = await listed(await signInAdmin(server), '/api/admin/audit?kind=session');
  const refusals = audit.filter(({ action }) => action === 'sign-in-refused');
  expect(refusals.map(({ after }) => (after as { reason: string }).reason)).toEqual(
    expect.arrayContaining(['main: not-begun', 'main: not-trusted', 'main: cancelled']),
  );
  expect(audit.find(({ target }) => target === 'ann')).toMatchObject({
    action: 'signed-in',
    after: { provider: 'main' },
  });
});

test('over https other hosts of the domain cannot start a sign-in for a browser (login CSRF)', async () => {
  const { browser, issuer } = await openOidcStage({ environment: { TRUST_PROXY: 'true' } });
  const window = browser();
  const headers = { 'x-forwarded-proto': 'https' };
  const begun = await window.ask('/api/auth/oidc/main', { headers });
  const given = begun.headers.getSetCookie();
  expect(given.find((each) => each.includes('oidc'))).toMatch(
    /^__Host-knowhow_oidc_[^;]+;.* Path=\/;.* Secure/,
  );
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  const back = { error: 'access_denied', state: searchParams.get('state') ?? '' };
  const query = new URLSearchParams({ ...back, iss: issuer.issuer });
  const path = `/api/auth/oidc/main/callback?${query}`;
  const isPending = ([name]: [string, string]) => name.includes('oidc');
  const [name = '', value = ''] = [...window.cookies].find(isPending) ?? [];
  const other = browser();
  other.cookies.set(name.replace('__Host-', ''), value);
  const came = async (who: Browser) =>
    errorIn((await who.ask(path, { headers })).headers.get('location') ?? '');
  expect(await came(other)).toBe('not-begun');
  expect(await came(window)).toBe('cancelled');
  expect([...window.cookies].some(isPending)).toBe(false);
});

test('a provider that is down, slow or misconfigured does not affect local sign-in', async () => {
  const { server, issuer, browser, signIn } = await openOidcStage({
    provider: { allowSelfSignup: false },
    others: [
      { name: 'without issuer', clientId: 'a' },
      { name: 'gone', issuer: 'http://127.0.0.1:9', clientId: 'a' },
      { name: 'clear', issuer: 'http://example.org', clientId: 'a' },
      {
        name: 'secret',
        issuer: 'https://example.org',
        clientId: 'a',
        clientSecretEnv: 'OIDC_NONE',
      },
      { name: 'off', issuer: 'https://example.org', clientId: 'a', enabled: false },
      { name: 'main', issuer: 'https://example.org', clientId: 'a' },
      { name: 'proxy', issuer: 'https://example.org', clientId: 'a' },
    ],
  });
  const window = browser();
  const ways = (await (await window.ask('/api/auth/ways')).json()) as {
    providers: { name: string }[];
  };
  expect(ways.providers.map(({ name }) => name)).toEqual(['main', 'gone']);
  const gone = await window.ask('/api/auth/oidc/gone?returnTo=/c/1');
  expect(gone.headers.get('location')).toBe(
    '/login?error=provider-down&provider=gone&returnTo=%2Fc%2F1',
  );
  expect(errorIn(await signIn(window))).toBe('no-account');
  issuer.intercept((request, response) => {
    if (request.url?.startsWith('/token')) {
      response.writeHead(500).end('<html>');
      return true;
    }
    return false;
  });
  expect(errorIn(await signIn(window))).toBe('provider-down');
  const admin = await signInAdmin(server);
  // A backup with other providers would send the secret elsewhere.
  const providers = [{ name: 'main', issuer: 'https://evil.example.org', clientId: 'knowhow' }];
  const backup = createZip({ 'contents/config/platform.json': { oidcAuth: { providers } } });
  expect(JSON.stringify(await importBackup(admin, backup, '?dryRun=true'))).toContain('"sign-ins"');
  // It does not widen access either; display names, and disabled providers, may differ.
  const kept = { name: 'main', displayName: 'Front door', issuer: issuer.issuer };
  const same = { ...kept, clientId: 'knowhow', clientSecretEnv: 'OIDC_MAIN_SECRET' };
  const isRefused = async (provider: object, oidcAuth: object = {}) => {
    const platform = { oidcAuth: { ...oidcAuth, providers: [{ ...same, ...provider }] } };
    const zip = createZip({ 'contents/config/platform.json': platform });
    const { plan } = await importBackup(admin, zip, '?dryRun=true');
    return plan.refused.length > 0;
  };
  const evil = { issuer: 'https://evil.example.org' };
  expect(await isRefused({})).toBe(false);
  expect(await isRefused({ ...evil, enabled: false })).toBe(false);
  expect(await isRefused(evil, { enabled: false })).toBe(false);
  expect(await isRefused({}, { allowSelfSignup: true })).toBe(true);
  expect(await isRefused({ allowSelfSignup: false }, { allowSelfSignup: true })).toBe(false);
  for (const change of [
    { mcpAudience: 'another' },
    { allow: { emails: ['@example.org'] } },
    { defaultGroups: ['admins'] },
    { groupsAttribute: 'nickname' },
  ]) {
    expect(await isRefused(change), JSON.stringify(change)).toBe(true);
  }
  const own = await importBackup(admin, await exportBackup(admin, '?data=true'), '?dryRun=true');
  expect(own.plan.refused).toEqual([]);
  const faults = JSON.stringify(await listed(admin, '/api/admin/faults'));
  for (const field of [1, 3, 4, 6, 7]) {
    expect(faults).toContain(`oidcAuth.providers.${field}`);
  }
  expect(faults).not.toContain('oidcAuth.providers.2');
});
