import { createHash, randomBytes } from 'node:crypto';
import { meSchema } from '@knowhow/shared/access/auth';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAuthorizationServer } from '../../../testing/authorization-server.ts';
import { signedToken } from '../../../testing/oidc-forge.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { defaultFiles, startTestServer } from '../../../testing/start-test-server.ts';

const { groups } = defaultFiles['config/groups.json'];

async function start(proxyAuth: object, trustProxy: string) {
  const server = await startTestServer({
    environment: { TRUST_PROXY: trustProxy },
    files: {
      'apps/chat.json': {
        ...defaultFiles['apps/chat.json'],
        embed: { origins: ['https://www.example.org'] },
      },
      'config/platform.json': { proxyAuth, anonymousAuth: { enabled: false } },
      'config/groups.json': {
        groups: { ...groups, admins: { ...groups.admins, mappings: ['it'] } },
      },
    },
  });
  onTestFinished(server.close);
  const me = async (headers: Record<string, string>) =>
    meSchema.parse(await (await fetch(`${server.url}/api/auth/me`, { headers })).json());
  return { server, me };
}

/** Sets the clock until the end of the test. */
function putClock(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** UTF-8 bytes as they appear in a header. */
const latin = (text: string) => Buffer.from(text).toString('latin1');

const plain = { enabled: true, allowSelfSignup: true, displayName: 'Front door' };
const ann = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'staff, it' };

test('a proxy authenticates users, only from a trusted address', async () => {
  const { server, me } = await start(plain, '127.0.0.1');
  const found = await me({ ...ann, 'x-forwarded-preferred-username': latin('Änn') });
  expect(found).toMatchObject({ name: 'Änn', isAdmin: true });
  expect(found).toMatchObject({ groups: ['admins'], signsInWith: 'Front door' });
  expect(await me({ 'x-forwarded-user': 'ann' })).toMatchObject({ id: found.id, isAdmin: false });
  expect((await me({})).anonymous).toBe(true);
  // Another page cannot write on their behalf, even if the proxy adds its own token (CSRF).
  const write = await fetch(`${server.url}/api/account/keys`, {
    method: 'POST',
    headers: {
      ...ann,
      ...{ 'content-type': 'application/json', authorization: 'Bearer a.b.c' },
      origin: 'https://evil.example.org',
    },
    body: '{}',
  });
  expect(write.status).toBe(403);
  const admin = await signInAdmin(server);
  const path = `/api/admin/users/${found.id}`;
  expect((await admin(path, { method: 'PUT', json: { disabled: true } })).status).toBe(200);
  const made = await (await admin('/api/admin/audit?kind=user&query=create')).json();
  expect((made as { items: object[] }).items).toMatchObject([
    { target: 'ann', after: { provider: 'proxy', groups: ['admins'] } },
  ]);
  expect(await me(ann)).toMatchObject({ anonymous: true, mayChat: false });

  for (const trusted of ['false', '1', 'true', '10.0.0.0/8']) {
    const other = await start(plain, trusted);
    expect(await other.me(ann), trusted).toMatchObject({ anonymous: true });
    expect(other.server.app.warnings.join(' ').includes('proxyAuth')).toBe(
      trusted !== '10.0.0.0/8',
    );
  }
});

test('a frame of a proxy-authenticated user lasts an hour, or until they lose access', async () => {
  const { server, me } = await start(
    { ...plain, defaultGroups: ['authenticated'], allow: { groups: ['it'] } },
    '127.0.0.1',
  );
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const headers = { referer: `${server.url}/embed/chat`, 'sec-fetch-site': 'same-origin' };
  const frame = server.visitor();
  const signIn = async () => {
    const window = server.visitor();
    const handed = await window('/api/embed/chat/hand-over', { json: { challenge }, headers: ann });
    const { code } = (await handed.json()) as { code: string };
    const json = { code, verifier };
    expect((await frame('/api/embed/chat/sign-in', { json, headers })).status).toBe(204);
  };
  const found = async () => meSchema.parse(await (await frame('/api/auth/me', { headers })).json());
  await signIn();
  expect((await found()).anonymous).toBe(false);
  expect((await me({ 'x-forwarded-user': 'ann' })).mayChat).toBe(false);
  expect((await found()).anonymous).toBe(true);
  await signIn();
  expect((await found()).anonymous).toBe(false);
  putClock(Date.now() + 61 * 60_000);
  expect((await found()).anonymous).toBe(true);
});

test('a valid signed header is accepted from anywhere; plain ones are then ignored', async () => {
  const issuer = await startAuthorizationServer();
  const signed = { header: 'X-Id-Token', issuer: issuer.issuer, audience: 'knowhow' };
  const jwtProviders = [{ ...signed, jwkUrl: `${issuer.issuer}/jwks` }];
  const { me } = await start(
    { ...plain, jwtProviders, allow: { emails: ['@example.org'] } },
    '127.0.0.1',
  );
  const now = Math.floor(Date.now() / 1000);
  const good = {
    ...{ iss: issuer.issuer, aud: 'knowhow', sub: 'ann', exp: now + 60 },
    ...{ email: 'ann@example.org', name: 'Ann', groups: ['it'] },
  };
  const tokenOf = (claims: object) =>
    signedToken(claims, { alg: 'RS256', kid: issuer.key.kid }, issuer.key.privateKey);
  expect(await me({ 'x-id-token': tokenOf(good) })).toMatchObject({ name: 'Ann', isAdmin: true });
  const wrong = [
    { ...good, aud: 'other' },
    { ...good, iss: 'https://other.example.org' },
    { ...good, exp: now - 600 },
    { ...good, email: 'ann@other.example.org' },
    { ...good, email_verified: false, sub: 'ben' },
  ];
  for (const claims of wrong) {
    const found = await me({ 'x-id-token': tokenOf(claims) });
    expect(found.anonymous, JSON.stringify(claims)).toBe(true);
  }
  expect((await me(ann)).anonymous).toBe(true);
  // A cached verification expires with its token, within a minute of clock skew.
  const late = { 'x-id-token': tokenOf({ ...good, exp: now - 30 }) };
  expect((await me(late)).anonymous).toBe(false);
  putClock(now * 1000 + 40_000);
  expect((await me(late)).anonymous).toBe(true);
});
