import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listenOn } from '../../../testing/listen-on.ts';
import { openOidcStage } from '../../../testing/oidc-stage.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';

const unsafe = [
  'javascript:alert(1)',
  'data:text/html,x',
  'http://evil.example/x',
  'ftp://example.org/x',
  'file:///etc/passwd',
  '//example.org/x',
  '',
  'nonsense',
  7,
  {},
];
const wrong: [string, unknown][] = [
  ...unsafe.map((value): [string, unknown] => ['authorization_endpoint', value]),
  ...['token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'end_session_endpoint'].flatMap((field) =>
    ['javascript:alert(1)', 'http://evil.example/x', 7].map((value): [string, unknown] => [
      field,
      value,
    ]),
  ),
  ['registration_endpoint', 'data:text/html,x'],
  ['revocation_endpoint', 'http://evil.example/x'],
  ['check_session_iframe', 'javascript:alert(1)'],
  ['mtls_endpoint_aliases', { token_endpoint: 'http://evil.example/x' }],
  ['authorization_endpoint', undefined],
  ['token_endpoint', undefined],
  ['jwks_uri', undefined],
  ['scopes_supported', 'openid'],
  ['scopes_supported', new Array(20_000).fill({})],
  ['token_endpoint_auth_methods_supported', 7],
  ['code_challenge_methods_supported', { S256: true }],
];

test('a provider with unsafe or invalid metadata is down', async () => {
  const answers = new Map<string, object>();
  const port = await listenOn(
    createServer((request, response) => {
      const [, name = ''] = (request.url ?? '').split('/');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers.get(name) ?? {}));
    }),
  );
  const others = [...wrong.keys()].map((index) => ({
    ...{ name: `p${index}`, clientId: 'a', issuer: `http://127.0.0.1:${port}/p${index}` },
  }));
  for (const [index, [field, value]] of wrong.entries()) {
    const issuer = `http://127.0.0.1:${port}/p${index}`;
    const good = {
      ...{ issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` },
      jwks_uri: `${issuer}/keys`,
    };
    answers.set(`p${index}`, { ...good, [field]: value });
  }
  for (let from = 0; from < others.length; from += 19) {
    const { browser, server } = await openOidcStage({ others: others.slice(from, from + 19) });
    for (const { name } of others.slice(from, from + 19)) {
      const [field, value] = wrong[Number(name.slice(1))] ?? [];
      const answer = await browser().ask(`/api/auth/oidc/${name}`);
      expect([field, String(value).slice(0, 40), answer.headers.get('location')]).toEqual([
        ...[field, String(value).slice(0, 40)],
        `/login?error=provider-down&provider=${name}`,
      ]);
    }
    const admin = await signInAdmin(server);
    const path = `/api/admin/sign-in/${others[from]?.name}/test`;
    const tested = await (await admin(path, { method: 'POST' })).json();
    expect(tested).toMatchObject({ ok: false, message: expect.stringMatching(/_|metadata/) });
  }
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'http://evil.example/x', 'nonsense'])(
  'signing out never sends the browser to %s',
  async (end) => {
    const stage = await openOidcStage({ provider: { signOutThere: true } });
    const { issuer, browser, signIn, server } = stage;
    const admin = await signInAdmin(server);
    const window = browser();
    expect(await signIn(window)).toBe('/');
    issuer.intercept((request, response) => {
      if (!request.url?.startsWith('/.well-known/')) {
        return false;
      }
      response.setHeader('content-type', 'application/json');
      const { issuer: url } = issuer;
      response.end(
        JSON.stringify({
          ...{ issuer: url, authorization_endpoint: `${url}/auth`, token_endpoint: `${url}/token` },
          ...{ jwks_uri: `${url}/jwks`, end_session_endpoint: end },
        }),
      );
      return true;
    });
    await admin('/api/admin/sign-in/main/test', { method: 'POST' });
    const left = await window.ask('/api/auth/logout', { method: 'POST' });
    expect([left.status, (await left.text()).includes('url')]).toEqual([204, false]);
    const { anonymous } = (await (await window.ask('/api/auth/me')).json()) as {
      anonymous: boolean;
    };
    expect(anonymous).toBe(true);
  },
);
