import { meSchema } from '@knowhow/shared/access/auth';
import { expect, test } from 'vitest';
import { comeBackWith, signedToken } from '../../../testing/oidc-forge.ts';
import { type Browser, type OidcStage, openOidcStage } from '../../../testing/oidc-stage.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';

const isSignedIn = async (browser: Browser) =>
  !meSchema.parse(await (await browser.ask('/api/auth/me')).json()).anonymous;

/** A token signed like the provider's. */
const signed = ({ issuer }: OidcStage, claims: object, header: object = {}) =>
  signedToken(claims, { alg: 'RS256', kid: issuer.key.kid, ...header }, issuer.key.privateKey);

const now = () => Math.floor(Date.now() / 1000);

test('signing out at the provider ends the session here, and signing out here can end it there', async () => {
  const stage = await openOidcStage({ provider: { signOutThere: true } });
  const { issuer, browser, signIn, server } = stage;
  const [one, other, ben] = [browser(), browser(), browser()];
  await signIn(one, 'ann');
  await signIn(other, 'ann');
  await signIn(ben, 'ben');
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const good = {
    iss: issuer.issuer,
    aud: 'knowhow',
    iat: now(),
    jti: 'first',
    sub: 'ann',
    events: event,
  };
  const send = (token: string) =>
    server.visitor()('/api/auth/oidc/main/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    });
  const wrong = [
    { ...good, aud: 'another client' },
    { ...good, iss: 'https://other.example.org' },
    { ...good, nonce: 'a' },
    { ...good, events: {} },
    { ...good, iat: now() - 3600 },
    { ...good, sub: undefined },
    { ...good, jti: undefined },
    { ...good, jti: '' },
    { ...good, jti: 7 },
  ];
  for (const claims of wrong) {
    expect((await send(signed(stage, claims))).status, JSON.stringify(claims)).toBe(400);
  }
  expect((await send(`${signed(stage, good).slice(0, -8)}AAAAAAAA`)).status).toBe(400);
  expect((await send('nonsense')).status).toBe(400);
  expect(await isSignedIn(one)).toBe(true);
  // Signed out everywhere.
  expect((await send(signed(stage, good))).status).toBe(204);
  expect([await isSignedIn(one), await isSignedIn(other), await isSignedIn(ben)]).toEqual([
    ...[false, false, true],
  ]);
  // Replaying the token ends no newer session.
  await signIn(one, 'ann');
  expect((await send(signed(stage, good))).status).toBe(400);
  expect(await isSignedIn(one)).toBe(true);
  // A token for one session never ends the user's others.
  for (const sid of ['unknown', '', `${issuer.issuer} ann`, '__proto__']) {
    const token = signed(stage, { ...good, jti: `unknown ${sid}`, sub: 'ann', sid });
    expect((await send(token)).status).toBe(204);
    expect([sid, await isSignedIn(one)]).toEqual([sid, true]);
  }
  for (const [at, sid] of [7, null, {}, ['first']].entries()) {
    const token = signed(stage, { ...good, jti: `wrong ${at}`, sub: 'ann', sid });
    expect((await send(token)).status).toBe(400);
    expect(await isSignedIn(one)).toBe(true);
  }
  // One session, by back-channel logout, and by front-channel logout in a frame.
  for (const browser of [one, other]) {
    const sid = browser === one ? 'first' : 'second';
    expect(await comeBackWith(stage, { claims: { sub: 'ann', sid }, browser })).toBe('/');
  }
  await (await issuer.provider.Client.find('knowhow')).backchannelLogout('ann', 'first');
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true]);
  const frame = (iss: string) =>
    browser().ask(`/api/auth/oidc/main/logout?${new URLSearchParams({ iss, sid: 'second' })}`);
  const shown = await frame('https://other.example.org');
  expect(shown.headers.get('content-security-policy')).toContain(
    `frame-ancestors ${issuer.issuer}`,
  );
  expect(await isSignedIn(other)).toBe(true);
  await frame(issuer.issuer);
  expect(await isSignedIn(other)).toBe(false);

  const left = await ben.ask('/api/auth/logout', { method: 'POST' });
  const { url } = (await left.json()) as { url: string };
  expect(url).toMatch(new RegExp(`^${issuer.issuer}/session/end\\?id_token_hint=`));
  expect(new URL(url).searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/`);
  expect(await isSignedIn(ben)).toBe(false);

  const audit = await (await signInAdmin(server))('/api/admin/audit?kind=session&query=signed-out');
  const { items } = (await audit.json()) as { items: object[] };
  expect(items[0]).toMatchObject({ target: 'ben', after: { provider: 'main' } });
  expect(items[1]).toMatchObject({ target: 'ann', after: { provider: 'main' } });
});

test("a provider's access token grants access to /mcp as that account, and to nothing else", async () => {
  const audience = 'https://knowhow.example.org/mcp';
  const stage = await openOidcStage({
    claims: () => ({ groups: ['staff'] }),
    provider: { mcpAudience: audience, allow: { groups: ['staff'] } },
    platform: { anonymousAuth: { enabled: false } },
  });
  const { issuer, browser, signIn, server } = stage;
  const good = { iss: issuer.issuer, aud: audience, sub: 'ann', exp: now() + 600, iat: now() };
  const call = (token?: string, path = '/mcp') =>
    fetch(server.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
  const refused = await call();
  expect(refused.status).toBe(401);
  const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`;
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: `${server.url}/mcp`,
    authorization_servers: [issuer.issuer],
  });
  const token = signed(stage, good, { typ: 'at+jwt' });
  // A user who has never signed in here has no account.
  expect((await call(token)).status).toBe(401);
  await signIn(browser(), 'ann');
  expect((await call(token)).status).toBe(200);
  expect((await call(token, '/v1/chat/completions')).status).toBe(401);
  expect(
    (await fetch(`${server.url}/api/apps`, { headers: { authorization: `Bearer ${token}` } }))
      .status,
  ).toBe(401);
  const wrong = [
    { ...good, aud: 'knowhow' },
    { ...good, iss: 'https://other.example.org' },
    { ...good, exp: now() - 600 },
    { ...good, exp: undefined },
    { ...good, sub: 'unknown' },
    // The access policy, if the token has the claims it needs.
    { ...good, groups: ['others'] },
  ];
  expect((await call(signed(stage, { ...good, groups: ['staff'] }))).status).toBe(200);
  for (const claims of wrong) {
    const answer = await call(signed(stage, claims));
    expect(answer.status, JSON.stringify(claims)).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('resource_metadata');
  }
  const admin = await signInAdmin(server);
  const users = (await (await admin('/api/admin/users?query=ann')).json()) as {
    items: { id: string }[];
  };
  const path = `/api/admin/users/${users.items[0]?.id}`;
  await admin(path, { method: 'PUT', json: { disabled: true } });
  expect((await call(token)).status).toBe(401);
});
