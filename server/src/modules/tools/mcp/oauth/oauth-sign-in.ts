import { randomBytes } from 'node:crypto';
import { Problem, problem } from '@knowhow/shared/problem';
import type { AuthorizationServerMetadata, OAuthTokens } from '@modelcontextprotocol/client';
import type { Cluster } from '../../../../platform/cluster/cluster.ts';
import { OutboundRefused } from '../../../../platform/lib/outbound/outbound-rules.ts';
import { type ClientIdentity, getOAuthClient } from './oauth-client.ts';
import { discover } from './oauth-discovery.ts';
import type { OAuthServer } from './oauth-server.ts';
import type { OAuthStore, PendingSignIn, StoredTokens } from './oauth-store.ts';
import { joinScopes } from './scopes.ts';

export interface SigningIn {
  store: OAuthStore;
  fetch: typeof fetch;
  withLock: Cluster['withLock'];
}

/** Query parameters of the issuer's redirect. */
export interface SignInAnswer {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/**
 * Starts a sign-in with the authorization code flow and PKCE. Resolves with the URL for the user's
 * browser. Throws a problem.
 */
export async function beginSignIn(
  user: string,
  server: OAuthServer,
  introduction: ClientIdentity,
  signingIn: SigningIn,
): Promise<string> {
  const { startAuthorization } = await import('@modelcontextprotocol/client');
  const { store, fetch } = signingIn;
  return withProblem(server.title, async () => {
    const found = await discover(server, fetch);
    const { issuer, metadata, resource } = found;
    const scope = joinScopes(found.scope, await previousScope(user, server, issuer, store));
    const discovered = { ...found, scope };
    const client = await getOAuthClient(server, discovered, introduction, signingIn);
    const { redirectUrl } = introduction;
    const state = randomBytes(32).toString('base64url');
    const options = { metadata, clientInformation: client, redirectUrl, state, resource };
    const { authorizationUrl, codeVerifier } = await startAuthorization(
      issuer,
      scope === undefined ? options : { ...options, scope },
    );
    await store.begin(
      state,
      { user, server: server.id },
      {
        serverUrl: server.url,
        issuer,
        saysIssuer: metadata.authorization_response_iss_parameter_supported === true,
        metadata,
        resource,
        ...(scope !== undefined && { scope }),
        client,
        redirectUrl,
        verifier: codeVerifier,
      },
    );
    return authorizationUrl.href;
  });
}

/**
 * Scopes granted before or requested since. A new sign-in never drops scopes unless an admin
 * configured them.
 */
async function previousScope(
  user: string,
  { id, url, scope }: OAuthServer,
  issuer: string,
  store: OAuthStore,
): Promise<string | undefined> {
  if (scope !== undefined) {
    return undefined;
  }
  const tokens = await store.tokens({ user, server: id });
  const isSame = tokens?.issuer === issuer && tokens.serverUrl === url;
  return isSame ? joinScopes(tokens.scope, tokens.wanted) : undefined;
}

/** Completes a user's sign-in, once. Resolves with the server's ID. Throws a problem. */
export async function endSignIn(
  user: string,
  answer: SignInAnswer,
  { store, fetch }: SigningIn,
): Promise<string> {
  const pending = await store.take(answer.state, user);
  if (!pending) {
    const text =
      'This sign-in was not begun here by you, is too old, or is done already. Begin it again.';
    throw problem('not-found', text);
  }
  const { server, issuer } = pending;
  checkIssuer(pending, answer);
  const { code } = answer;
  if (answer.error !== undefined || code === undefined) {
    throw problem('bad-request', refusalOf(issuer, answer.error));
  }
  const tokens = await withProblem(hostOf(issuer), () =>
    exchange(pending, code, answer.iss, fetch),
  );
  await store.keepTokens({ user, server }, issuer, toStoredTokens(pending, tokens));
  await store.removeTokens({ user, server }, issuer);
  return server;
}

/** Checked first: in a mix-up attack, nothing else in the response can be trusted. */
function checkIssuer({ issuer, saysIssuer }: PendingSignIn, { iss }: SignInAnswer): void {
  if (iss === undefined ? saysIssuer : iss !== issuer) {
    const text = `The answer does not come from ${hostOf(issuer)}, where the sign-in was begun. It is not used.`;
    throw problem('bad-request', text);
  }
}

async function exchange(
  pending: PendingSignIn,
  code: string,
  iss: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<OAuthTokens> {
  const { exchangeAuthorization } = await import('@modelcontextprotocol/client');
  const { issuer, metadata, client, verifier, redirectUrl, resource } = pending;
  const tokens = await exchangeAuthorization(issuer, {
    // The library parsed it before it was stored.
    metadata: metadata as unknown as AuthorizationServerMetadata,
    clientInformation: client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier: verifier,
    redirectUri: redirectUrl,
    resource,
    fetchFn: fetch,
  });
  return assertBearerToken(tokens, issuer);
}

/** Other token types would be unusable or weaken security. */
export function assertBearerToken(tokens: OAuthTokens, issuer: string): OAuthTokens {
  if (tokens.token_type.toLowerCase() !== 'bearer') {
    throw problem(
      'conflict',
      `${hostOf(issuer)} issues tokens of type ${tokens.token_type}, which is not supported.`,
    );
  }
  return tokens;
}

/**
 * Converts a token response for storage, with an absolute expiry by our clock. If the issuer omits
 * the scope, it is the requested one.
 */
export function toStoredTokens(
  former: Pick<StoredTokens, 'serverUrl' | 'resource' | 'client' | 'scope' | 'wanted'>,
  { access_token, refresh_token, scope = former.scope, expires_in }: OAuthTokens,
): StoredTokens {
  const { serverUrl, resource, client, wanted } = former;
  const lifetime = expires_in === undefined ? undefined : expires_in * 1000;
  return {
    serverUrl,
    resource,
    client,
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(wanted !== undefined && { wanted }),
    ...(lifetime !== undefined && { expiresAt: Date.now() + lifetime, lifetime }),
  };
}

/** Wraps a remote failure in a problem that names the host, without leaking the response. */
async function withProblem<Result>(where: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) {
      throw error;
    }
    const isKnown = error instanceof OutboundRefused || error instanceof TypeError;
    const reason = isKnown ? error.message : codeOf(error);
    throw problem('conflict', `Signing in to ${where} has failed: ${reason}`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[a-z_]{1,60}$/.test(code)
    ? `it says "${code}".`
    : 'its answers are not as they should be.';
}

function refusalOf(issuer: string, error: string | undefined): string {
  const host = hostOf(issuer);
  if (error === 'access_denied') {
    return `The sign-in at ${host} was refused or cancelled.`;
  }
  const code = error !== undefined && /^[a-z_]{1,60}$/.test(error) ? ` ("${error}")` : '';
  return `${host} has not signed you in${code}. Begin again, or ask an administrator.`;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
