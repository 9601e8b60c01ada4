import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthProvider } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '../../../../platform/cluster/local-cluster.ts';
import { createGuardedFetch } from '../../../../platform/lib/guarded-fetch.ts';
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../../../../testing/authorization-server.ts';
import { openTestDatabase } from '../../../../testing/open-test-database.ts';
import {
  type ProtectedServer,
  startProtectedServer,
} from '../../../../testing/protected-server.ts';
import { temporaryFolder } from '../../../../testing/write-files.ts';
import { type OAuthServer, SignInRequired } from './oauth-server.ts';
import type { SignInAnswer } from './oauth-sign-in.ts';
import { openOAuth } from './open-oauth.ts';

const introduction = { redirectUrl: 'http://127.0.0.1:1/callback', metadataUrl: undefined };

async function open(allowed = ['127.0.0.1']) {
  const database = await openTestDatabase(await temporaryFolder());
  const guarded = createGuardedFetch({ allowPrivate: () => allowed });
  onTestFinished(async () => {
    await guarded.close();
    await database.destroy();
  });
  for (const id of ['ann', 'ben']) {
    const created_at = new Date().toISOString();
    const row = { id, username: id, name: id, password_hash: null, groups: '[]', disabled: 0 };
    await database
      .insertInto('users')
      .values({ ...row, created_at })
      .execute();
  }
  const opened = { database, cluster: createLocalCluster(), fetch: guarded.fetch };
  const secretKey = randomBytes(32);
  return { ...openOAuth({ ...opened, secretKey }), opened, secretKey, fetch: guarded.fetch };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function stage(options: Parameters<typeof startAuthorizationServer>[0] = {}) {
  const issuer = await startAuthorizationServer(options);
  const tools = await startProtectedServer(issuer);
  const server: OAuthServer = { id: 'wiki', title: 'Wiki', url: tools.url };
  return { issuer, tools, server, oauth: await open() };
}

function answerOf({ searchParams }: URL): SignInAnswer {
  const { state = '', ...rest } = Object.fromEntries(searchParams);
  return { state, ...rest };
}

/** Performs a full sign-in and returns what the browser came back with. */
async function signIn(
  oauth: Opened,
  issuer: AuthorizationServer,
  server: OAuthServer,
  user = 'ann',
) {
  const back = await issuer.browse(await oauth.begin(user, server, introduction));
  const answer = answerOf(back);
  await oauth.end(user, answer);
  return answer;
}

/** A request as a transport makes it: with a token, retried once after a 401. */
async function ask(
  provider: AuthProvider,
  { url }: ProtectedServer,
  mayRetry = true,
): Promise<unknown> {
  const token = await provider.token();
  const headers = new Headers(token === undefined ? [] : [['authorization', `Bearer ${token}`]]);
  const response = await fetch(url, { headers });
  if (response.status === 401 && mayRetry) {
    await provider.onUnauthorized?.({ response, serverUrl: new URL(url), fetchFn: fetch });
    return ask(provider, { url, got: [] }, false);
  }
  return response.json();
}

const countOf = ({ asked }: AuthorizationServer, request: string) =>
  asked.filter((each) => each === request).length;

describe('sign-in to a tool server', () => {
  test('uses discovery, registration, PKCE and the resource indicator to get tokens', async () => {
    const { issuer, tools, server, oauth } = await stage();
    const address = new URL(await oauth.begin('ann', server, introduction));
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      resource: server.url,
      scope: 'tools offline_access',
      redirect_uri: introduction.redirectUrl,
    });
    expect(await oauth.end('ann', answerOf(await issuer.browse(address.href)))).toBe('wiki');
    expect(await ask(oauth.tokensFor('ann', server), tools)).toEqual({ account: 'ann' });
    expect(await oauth.list('ann')).toMatchObject([
      { server: 'wiki', issuer: issuer.issuer, status: 'signed-in' },
    ]);
  });

  test('is bound to one user and one address', async () => {
    const { issuer, tools, server, oauth } = await stage();
    await signIn(oauth, issuer, server);
    await expect(ask(oauth.tokensFor('ben', server), tools)).rejects.toThrow(SignInRequired);
    const moved = { ...server, url: `${server.url}/other` };
    expect(await oauth.tokensFor('ann', moved).token()).toBeUndefined();
    expect(await oauth.list('ben')).toEqual([]);
  });

  test('stores nothing that is readable without the key', async () => {
    const { issuer, tools, server, oauth } = await stage();
    const { code } = await signIn(oauth, issuer, server);
    await ask(oauth.tokensFor('ann', server), tools);
    const { database } = oauth.opened;
    const rows = JSON.stringify([
      await database.selectFrom('mcp_tokens').selectAll().execute(),
      await database.selectFrom('mcp_clients').selectAll().execute(),
      await database.selectFrom('mcp_sign_ins').selectAll().execute(),
    ]);
    for (const secret of [...tools.got, code]) {
      expect(secret === undefined || !rows.includes(secret)).toBe(true);
    }
    const others = openOAuth({ ...oauth.opened, secretKey: randomBytes(32) });
    expect(await others.tokensFor('ann', server).token()).toBeUndefined();
    expect(
      await openOAuth({ ...oauth.opened, secretKey: oauth.secretKey })
        .tokensFor('ann', server)
        .token(),
    ).toBe(tools.got.at(-1));
    expect(await database.selectFrom('mcp_sign_ins').selectAll().execute()).toEqual([]);
  });

  test('registers once for concurrent sign-ins', async () => {
    const { issuer, server, oauth } = await stage();
    const begin = (user: string) => oauth.begin(user, server, introduction);
    await Promise.all(['ann', 'ben', 'ann'].map(begin));
    expect(countOf(issuer, 'POST /reg')).toBe(1);
  });

  test('uses a client registered by an admin', async () => {
    const client = {
      client_id: 'knowhow',
      client_secret: 'a secret of the issuer: with %signs+',
      redirect_uris: [introduction.redirectUrl],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
    };
    const { issuer, tools, server, oauth } = await stage({
      hasRegistration: false,
      clients: [{ ...client, token_endpoint_auth_method: 'client_secret_post' }],
    });
    const registered = { ...server, client: { id: 'knowhow', secret: client.client_secret } };
    const unknown = oauth.begin('ann', server, introduction);
    await expect(unknown).rejects.toThrow(
      /does not support dynamic client registration.*callback.*"clientId"/,
    );
    issuer.intercept(
      withMetadata(issuer, { token_endpoint_auth_methods_supported: ['client_secret_post'] }),
    );
    await signIn(oauth, issuer, registered);
    expect(await ask(oauth.tokensFor('ann', registered), tools)).toEqual({ account: 'ann' });
    expect(await oauth.remove('ann', 'wiki')).toBe(true);
  });

  test('uses a client ID metadata document if the issuer supports it', async () => {
    const { issuer, server, oauth } = await stage({ hasRegistration: false });
    issuer.intercept(withMetadata(issuer, { client_id_metadata_document_supported: true }));
    const metadataUrl = 'https://knowhow.example.org/api/oauth/client.json';
    const address = await oauth.begin('ann', server, { ...introduction, metadataUrl });
    expect(new URL(address).searchParams.get('client_id')).toBe(metadataUrl);
  });
});

/** Overrides the issuer's metadata. */
function withMetadata({ issuer }: AuthorizationServer, changed: Record<string, unknown>) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.url !== '/.well-known/oauth-authorization-server') {
      return false;
    }
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/token/revocation`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...changed,
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
    return true;
  };
}

describe('the answer of a sign-in is rejected', () => {
  test('with an unknown state, or the state of another user, which stays valid', async () => {
    const { issuer, server, oauth } = await stage();
    const answer = answerOf(await issuer.browse(await oauth.begin('ann', server, introduction)));
    const refused = 'was not begun here by you';
    await expect(oauth.end('ann', { ...answer, state: 'other' })).rejects.toThrow(refused);
    await expect(oauth.end('ben', answer)).rejects.toThrow(refused);
    expect(countOf(issuer, 'POST /token')).toBe(0);
    expect(await oauth.end('ann', answer)).toBe('wiki');
  });

  test('if it is replayed', async () => {
    const { issuer, tools, server, oauth } = await stage();
    const answer = await signIn(oauth, issuer, server);
    await expect(oauth.end('ann', answer)).rejects.toThrow('done already');
    expect(countOf(issuer, 'POST /token')).toBe(1);
    expect(await ask(oauth.tokensFor('ann', server), tools)).toEqual({ account: 'ann' });
  });

  test('with the authorization code of another sign-in', async () => {
    const { issuer, server, oauth } = await stage();
    const first = answerOf(await issuer.browse(await oauth.begin('ann', server, introduction)));
    const second = answerOf(await issuer.browse(await oauth.begin('ben', server, introduction)));
    await expect(oauth.end('ben', { ...second, code: first.code })).rejects.toThrow(
      'invalid_grant',
    );
    expect(await oauth.list('ben')).toEqual([]);
  });

  test.each([
    ['another issuer', 'https://evil.example'],
    ['the issuer with a slash', 'with-slash'],
    ['no issuer', undefined],
  ])('from %s, before anything else is evaluated', async (_, written) => {
    const { issuer, server, oauth } = await stage();
    const answer = answerOf(await issuer.browse(await oauth.begin('ann', server, introduction)));
    const iss = written === 'with-slash' ? `${issuer.issuer}/` : written;
    await expect(oauth.end('ann', { ...answer, iss })).rejects.toThrow('does not come from');
    const error = { state: answer.state, iss, error: 'text_of_another' };
    await expect(oauth.end('ann', error)).rejects.not.toThrow('text_of_another');
    expect(countOf(issuer, 'POST /token')).toBe(0);
  });

  test.each([
    ['access_denied', 'refused or cancelled'],
    ['server_error', '"server_error"'],
    ['<b>anything</b>', 'has not signed you in.'],
  ])('if the issuer reports %s', async (error, text) => {
    const { issuer, server, oauth } = await stage();
    const address = await oauth.begin('ann', server, introduction);
    const state = new URL(address).searchParams.get('state') ?? '';
    await expect(oauth.end('ann', { state, iss: issuer.issuer, error })).rejects.toThrow(text);
  });

  test('after it has expired', async () => {
    const { issuer, server, oauth } = await stage();
    const answer = answerOf(await issuer.browse(await oauth.begin('ann', server, introduction)));
    const expires_at = new Date(Date.now() - 1).toISOString();
    await oauth.opened.database.updateTable('mcp_sign_ins').set({ expires_at }).execute();
    await expect(oauth.end('ann', answer)).rejects.toThrow('too old');
  });
});

describe('a sign-in does not start', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['has a different name', { issuer: 'https://evil.example' }, 'has failed'],
    ['is not https', { token_endpoint: 'http://10.0.0.1/token' }, 'which is not https'],
    ['uses a javascript: URL', { authorization_endpoint: 'javascript:alert(1)' }, 'has failed'],
    ['has no PKCE', { code_challenge_methods_supported: ['plain'] }, 'does not offer PKCE'],
    [
      'does not mention PKCE',
      { code_challenge_methods_supported: undefined },
      'does not offer PKCE',
    ],
  ])('if the issuer %s', async (_, changed, text) => {
    const { issuer, server, oauth } = await stage();
    issuer.intercept(withMetadata(issuer, changed));
    await expect(oauth.begin('ann', server, introduction)).rejects.toThrow(text);
  });

  test('if the resource belongs to another server', async () => {
    const issuer = await startAuthorizationServer();
    const tools = await startProtectedServer(issuer, { resource: 'https://bank.example/mcp' });
    const server = { id: 'wiki', title: 'Wiki', url: tools.url };
    const begun = (await open()).begin('ann', server, introduction);
    await expect(begun).rejects.toThrow('another server: https://bank.example/mcp');
  });

  test('at an issuer in the private network that is not on the allowlist (SSRF)', async () => {
    const { issuer } = await stage();
    const tools = await startProtectedServer(issuer);
    const port = new URL(tools.url).port;
    const oauth = await open([`127.0.0.1:${port}`]);
    const begun = oauth.begin('ann', { id: 'wiki', title: 'Wiki', url: tools.url }, introduction);
    await expect(begun).rejects.toThrow(/is a private address/);
    expect(issuer.asked).toEqual([]);
  });
});

describe('token refresh', () => {
  test('refreshes tokens before they expire, one request at a time, with rotation', async () => {
    const { issuer, tools, server, oauth } = await stage({ accessTokenSeconds: 2 });
    await signIn(oauth, issuer, server);
    const before = countOf(issuer, 'POST /token');
    await expect
      .poll(async () => {
        await oauth.tokensFor('ann', server).token();
        return countOf(issuer, 'POST /token') > before;
      })
      .toBe(true);
    const asked = Array.from({ length: 10 }, () => ask(oauth.tokensFor('ann', server), tools));
    for (const answer of await Promise.all(asked)) {
      expect(answer).toEqual({ account: 'ann' });
    }
    expect((await oauth.list('ann'))[0]?.status).toBe('signed-in');
  });

  test('refreshes once if the server rejects an unexpired token of concurrent requests', async () => {
    const { issuer, tools, server, oauth } = await stage();
    await signIn(oauth, issuer, server);
    const first = await oauth.tokensFor('ann', server).token();
    await revokeAt(issuer, first ?? '');
    const asked = Array.from({ length: 5 }, () => ask(oauth.tokensFor('ann', server), tools));
    expect(await Promise.all(asked)).toEqual(Array(5).fill({ account: 'ann' }));
    expect(countOf(issuer, 'POST /token')).toBe(2);
    expect(await oauth.tokensFor('ann', server).token()).not.toBe(first);
  });

  test('requires a new sign-in if the issuer rejects the refresh token', async () => {
    const { issuer, tools, server, oauth } = await stage();
    await signIn(oauth, issuer, server);
    await oauth.tokensFor('ann', server).token();
    issuer.intercept(refuse('/token', 400, { error: 'invalid_grant' }));
    await revokeAt(issuer, (await oauth.tokensFor('ann', server).token()) ?? '');
    const asked = ask(oauth.tokensFor('ann', server), tools);
    await expect(asked).rejects.toThrow('Sign in to Wiki again');
    expect((await oauth.list('ann'))[0]?.status).toBe('refused');
    const posts = countOf(issuer, 'POST /token');
    await expect(ask(oauth.tokensFor('ann', server), tools)).rejects.toThrow(SignInRequired);
    expect(countOf(issuer, 'POST /token')).toBe(posts);
    issuer.intercept(() => false);
    await signIn(oauth, issuer, server);
    expect(await ask(oauth.tokensFor('ann', server), tools)).toEqual({ account: 'ann' });
  });

  test('registers again if the issuer no longer knows the client', async () => {
    const { issuer, tools, server, oauth } = await stage();
    await signIn(oauth, issuer, server);
    issuer.intercept(refuse('/token', 401, { error: 'invalid_client' }));
    await revokeAt(issuer, (await oauth.tokensFor('ann', server).token()) ?? '');
    await expect(ask(oauth.tokensFor('ann', server), tools)).rejects.toThrow(SignInRequired);
    issuer.intercept(() => false);
    await signIn(oauth, issuer, server);
    expect(countOf(issuer, 'POST /reg')).toBe(2);
  });

  test('survives an outage of the issuer', async () => {
    const { issuer, tools, server, oauth } = await stage();
    await signIn(oauth, issuer, server);
    const token = (await oauth.tokensFor('ann', server).token()) ?? '';
    await revokeAt(issuer, token);
    issuer.intercept(refuse('/token', 503, {}));
    const asked = ask(oauth.tokensFor('ann', server), tools);
    await expect(asked).rejects.toThrow('The sign-in to Wiki cannot be renewed now');
    issuer.intercept(() => false);
    expect(await ask(oauth.tokensFor('ann', server), tools)).toEqual({ account: 'ann' });
  });

  test('revokes the tokens at the issuer when the user signs out', async () => {
    const { issuer, tools, server, oauth } = await stage();
    await signIn(oauth, issuer, server);
    const token = (await oauth.tokensFor('ann', server).token()) ?? '';
    expect(await oauth.remove('ann', 'wiki')).toBe(true);
    expect(await issuer.provider.AccessToken.find(token)).toBeUndefined();
    expect(await oauth.list('ann')).toEqual([]);
    await expect(ask(oauth.tokensFor('ann', server), tools)).rejects.toThrow(SignInRequired);
  });

  test('deletes the tokens locally even if the issuer does not answer', async () => {
    const { issuer, server, oauth } = await stage();
    await signIn(oauth, issuer, server);
    issuer.intercept(refuse('/token/revocation', 503, {}));
    expect(await oauth.remove('ann', 'wiki')).toBe(false);
    expect(await oauth.list('ann')).toEqual([]);
  });
});

function refuse(path: string, status: number, body: unknown) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const isMeant = request.method === 'POST' && request.url === path;
    if (isMeant) {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
    return isMeant;
  };
}

/** Invalidates an access token but not its refresh token. */
async function revokeAt({ provider }: AuthorizationServer, token: string): Promise<void> {
  const found = (await provider.AccessToken.find(token)) as
    | { destroy(): Promise<void> }
    | undefined;
  await found?.destroy();
}
