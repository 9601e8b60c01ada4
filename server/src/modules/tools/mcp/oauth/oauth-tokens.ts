import type { OAuthTokens } from '@modelcontextprotocol/client';
import { OutboundRefused } from '../../../../platform/lib/outbound/outbound-rules.ts';
import type { UserAuth } from '../server-session.ts';
import { type OAuthServer, SignInRequired } from './oauth-server.ts';
import { assertBearerToken, type SigningIn, toStoredTokens } from './oauth-sign-in.ts';
import type { StoredTokens } from './oauth-store.ts';
import { coversScopes, joinScopes } from './scopes.ts';

type Tokens = StoredTokens & { issuer: string };

/** Tokens are refreshed early, since requests take time and clocks differ. */
const earlyMs = 60_000;

/**
 * Auth provider for a user's connection to a server: a valid token, refreshed when needed, by one
 * process at a time across the installation. Throws `SignInRequired` if only the user can help.
 */
export function tokensFor(user: string, server: OAuthServer, signingIn: SigningIn): UserAuth {
  const { store } = signingIn;
  let given: string | undefined;
  const find = async (): Promise<Tokens | undefined> => {
    const tokens = await store.tokens({ user, server: server.id });
    // Tokens are bound to the address they were issued for.
    return tokens?.serverUrl === server.url ? tokens : undefined;
  };
  return {
    token: async () => {
      const tokens = await find();
      given = tokens && (await ensureFresh(user, server, tokens, signingIn)).accessToken;
      return given;
    },
    onUnauthorized: async () => {
      const tokens = await find();
      if (!tokens) {
        throw new SignInRequired(server);
      }
      if (tokens.accessToken === given) {
        await renew(user, server, tokens, signingIn);
      }
    },
    askForMore: (scope) => askForMore(user, server, scope, signingIn),
  };
}

/**
 * Records the scopes a server additionally requests (step-up) and throws `SignInRequired`. Returns
 * if a sign-in would not help: all were granted, or an admin restricts the scopes.
 */
function askForMore(
  user: string,
  server: OAuthServer,
  scope: string,
  { store, withLock }: SigningIn,
): Promise<void> {
  const owner = { user, server: server.id };
  return withLock(`mcp tokens ${JSON.stringify(owner)}`, async () => {
    const tokens = await store.tokens(owner);
    const isGiven = coversScopes(tokens?.scope, scope);
    if (isGiven || (server.scope !== undefined && !coversScopes(server.scope, scope))) {
      return;
    }
    if (tokens) {
      const { issuer, ...kept } = tokens;
      const wanted = joinScopes(kept.wanted, scope);
      await store.keepTokens(owner, issuer, { ...kept, ...(wanted !== undefined && { wanted }) });
    }
    throw new SignInRequired(server, true);
  });
}

/** If the issuer is unreachable, tokens that have not expired are still used. */
async function ensureFresh(
  user: string,
  server: OAuthServer,
  tokens: Tokens,
  signingIn: SigningIn,
): Promise<Tokens> {
  const { expiresAt, lifetime = 0, refreshToken } = tokens;
  const left = (expiresAt ?? Number.POSITIVE_INFINITY) - Date.now();
  if (left > Math.min(earlyMs, lifetime / 2) || refreshToken === undefined) {
    return tokens;
  }
  try {
    return await renew(user, server, tokens, signingIn);
  } catch (error) {
    if (left > 0 && !(error instanceof SignInRequired)) {
      return tokens;
    }
    throw error;
  }
}

/**
 * Serialized by a lock: with refresh token rotation, a second use counts as theft and revokes all
 * tokens.
 */
function renew(
  user: string,
  server: OAuthServer,
  used: Tokens,
  signingIn: SigningIn,
): Promise<Tokens> {
  const { store, withLock } = signingIn;
  const owner = { user, server: server.id };
  return withLock(`mcp tokens ${JSON.stringify(owner)}`, async () => {
    const tokens = await store.tokens(owner);
    if (!tokens) {
      throw new SignInRequired(server);
    }
    if (tokens.accessToken !== used.accessToken) {
      return tokens;
    }
    const renewed = await refreshTokens(server, tokens, signingIn.fetch);
    if (renewed === 'refused' || renewed === 'unknown-client') {
      await store.refuse(owner, tokens.issuer);
      if (renewed === 'unknown-client') {
        await store.forgetClient(tokens.issuer, tokens.client);
      }
      throw new SignInRequired(server);
    }
    const kept = toStoredTokens(tokens, renewed);
    await store.keepTokens(owner, tokens.issuer, kept);
    return { ...kept, issuer: tokens.issuer };
  });
}

/** Uses fresh metadata, since the token endpoint may have changed since the sign-in. */
async function refreshTokens(
  server: OAuthServer,
  { issuer, client, resource, refreshToken }: Tokens,
  fetch: typeof globalThis.fetch,
): Promise<OAuthTokens | 'refused' | 'unknown-client'> {
  if (refreshToken === undefined) {
    return 'refused';
  }
  const sdk = await import('@modelcontextprotocol/client');
  try {
    const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
    if (!metadata) {
      throw new TypeError(`${issuer} does not say where tokens are renewed.`);
    }
    const renewed = await sdk.refreshAuthorization(issuer, {
      metadata,
      clientInformation: client,
      refreshToken,
      resource,
      fetchFn: fetch,
    });
    return assertBearerToken(renewed, issuer);
  } catch (error) {
    if (error instanceof sdk.OAuthError) {
      const refusals = {
        invalid_grant: 'refused',
        invalid_client: 'unknown-client',
        unauthorized_client: 'unknown-client',
      } as const;
      const refusal = Object.entries(refusals).find(([code]) => code === error.code)?.[1];
      if (refusal) {
        return refusal;
      }
    }
    const reason =
      error instanceof OutboundRefused || error instanceof TypeError ? ` ${error.message}` : '';
    throw new Error(`The sign-in to ${server.title} cannot be renewed now.${reason}`, {
      cause: error,
    });
  }
}
