import { createHash, randomBytes } from 'node:crypto';
import { meSchema } from '@knowhow/shared/access/auth';
import { afterEach, expect, test, vi } from 'vitest';
import { comeBackWith, signedToken } from '../../../testing/oidc-forge.ts';
import { type Browser, openOidcStage } from '../../../testing/oidc-stage.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { signInsOnDemand } from '../../../testing/sign-ins-on-demand.ts';
import { defaultFiles } from '../../../testing/start-test-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

const embed = { origins: ['https://www.example.org'] };
const files = { 'apps/chat.json': { ...defaultFiles['apps/chat.json'], embed } };

type Ask = Browser['ask'];

/** Sends requests as a user who has signed in inside a frame through this window, with a browser's headers. */
async function childFrame(window: Ask, frame: Browser, url: string): Promise<Ask> {
  const ask: Ask = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('referer', `${url}/embed/chat`);
    headers.set('sec-fetch-site', 'same-origin');
    return frame.ask(path, { ...init, headers });
  };
  const post = (by: Ask, path: string, body: object) =>
    by(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const handed = await post(window, '/api/embed/chat/hand-over', { challenge });
  const { code } = (await handed.json()) as { code: string };
  const answer = await post(ask, '/api/embed/chat/sign-in', { code, verifier });
  expect(answer.status).toBe(204);
  return ask;
}

const isSignedIn = async (ask: Ask) =>
  !meSchema.parse(await (await ask('/api/auth/me')).json()).anonymous;

test('what ends a session at its provider ends its child session in a frame', async () => {
  const { cluster, later } = signInsOnDemand();
  const stage = await openOidcStage({
    ...{ files, cluster },
    provider: { defaultGroups: ['authenticated'] },
  });
  const { server, issuer, browser, signIn } = stage;
  const window = browser();
  const openFrame = () => childFrame(window.ask, browser(), server.url);

  // By a logout of this session, and of all sessions of a user.
  for (const which of [{ sid: 'first' }, { sub: 'ann' }]) {
    await comeBackWith(stage, { claims: { sub: 'ann', sid: 'first' }, browser: window });
    const frame = await openFrame();
    expect(await isSignedIn(frame)).toBe(true);
    const now = Math.floor(Date.now() / 1000);
    const token = {
      ...{ iss: issuer.issuer, aud: 'knowhow', iat: now, jti: Object.keys(which).join(), ...which },
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const head = { alg: 'RS256', kid: issuer.key.kid };
    const sent = await browser().ask('/api/auth/oidc/main/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        logout_token: signedToken(token, head, issuer.key.privateKey),
      }).toString(),
    });
    expect(sent.status).toBe(204);
    expect([await isSignedIn(window.ask), await isSignedIn(frame)]).toEqual([false, false]);
  }

  // By a rejected token refresh. The window's session is refreshed; the frame's lasts an hour.
  await signIn(window, 'ann');
  const lasting = await openFrame();
  await later(59, () => Promise.all([isSignedIn(window.ask), isSignedIn(lasting)]));
  expect([await isSignedIn(window.ask), await isSignedIn(lasting)]).toEqual([true, true]);
  await later(2, () => isSignedIn(window.ask));
  expect([await isSignedIn(window.ask), await isSignedIn(lasting)]).toEqual([true, false]);
  const frame = await openFrame();
  issuer.intercept((request, response) => {
    if (request.url?.startsWith('/token')) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_grant' }));
      return true;
    }
    return false;
  });
  await later(20, () => Promise.all([isSignedIn(window.ask), isSignedIn(frame)]));
  expect([await isSignedIn(window.ask), await isSignedIn(frame)]).toEqual([false, false]);
  const admin = await signInAdmin(server);
  const log = await (await admin('/api/admin/audit?kind=session&query=ended')).json();
  expect((log as { items: object[] }).items[0]).toMatchObject({
    ...{ target: 'ann', userName: 'main' },
    after: { reason: 'ended-there', sessions: 2 },
  });
});
