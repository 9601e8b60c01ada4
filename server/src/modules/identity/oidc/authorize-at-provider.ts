import { z } from 'zod';
import type { Seal } from '../../../platform/lib/seal.ts';
import { describeError, type OidcClients } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { SignInRefused } from './sign-in-refused.ts';

const pendingSchema = z.object({
  provider: z.string(),
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUrl: z.string(),
  returnTo: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
});
type Pending = z.infer<typeof pendingSchema>;

/** Maximum time for the sign-in at the provider, in seconds. */
export const pendingSeconds = 600;

/**
 * Maximum age of provider metadata before a redirect, so that users are not sent to a provider that
 * is down.
 */
const maxMetadataAgeMs = 5000;

const owner = 'oidc sign-in';

export interface AuthorizationRequest {
  /** The authorization URL at the provider. */
  url: string;
  state: string;
  /** Encrypted state for a cookie of this browser. */
  pending: string;
}

/** The verified response of a provider. */
export interface VerifiedIdentity {
  issuer: string;
  claims: Record<string, unknown>;
  sid: string | undefined;
  idToken: string;
  refreshToken: string | undefined;
  returnTo: string;
}

interface Dependencies {
  clients: OidcClients;
  seal: Seal;
}

/** Starts an authorization code flow with PKCE, state and nonce. Throws `SignInRefused`. */
export async function startAuthorization(
  provider: OidcProvider,
  { redirectUrl, returnTo }: { redirectUrl: string; returnTo: string },
  { clients, seal }: Dependencies,
): Promise<AuthorizationRequest> {
  const { library, config } = await clients.configure(provider, maxMetadataAgeMs);
  const verifier = library.randomPKCECodeVerifier();
  const [state, nonce] = [library.randomState(), library.randomNonce()];
  const url = library.buildAuthorizationUrl(config, {
    redirect_uri: redirectUrl,
    scope: provider.scope,
    state,
    nonce,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { name, issuer } = provider;
  const expiresAt = Date.now() + pendingSeconds * 1000;
  const pending: Pending = {
    provider: name,
    issuer,
    state,
    nonce,
    verifier,
    redirectUrl,
    returnTo,
    expiresAt,
  };
  return { url: url.href, state, pending: seal.seal(JSON.stringify(pending), owner) };
}

/**
 * Decrypts the state of a sign-in that this browser has started; undefined if missing, expired, or
 * of another provider.
 */
export function decryptPendingSignIn(
  kept: string | undefined,
  provider: Pick<OidcProvider, 'name' | 'issuer'>,
  seal: Seal,
): Pending | undefined {
  const text = kept === undefined ? undefined : seal.open(kept, owner);
  const pending = text === undefined ? undefined : pendingSchema.parse(JSON.parse(text));
  const isSame = pending?.provider === provider.name && pending.issuer === provider.issuer;
  return isSame && pending.expiresAt > Date.now() ? pending : undefined;
}

/** Exchanges the authorization code for tokens and verifies them. Throws `SignInRefused`. */
export async function completeAuthorization(
  provider: OidcProvider,
  { pending, query }: { pending: Pending; query: URLSearchParams },
  { clients }: Dependencies,
): Promise<VerifiedIdentity> {
  const { library, config } = await clients.configure(provider);
  const address = new URL(pending.redirectUrl);
  address.search = query.toString();
  try {
    const tokens = await library.authorizationCodeGrant(config, address, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined) {
      throw new SignInRefused('not-trusted', 'The provider sent no ID token.');
    }
    const { userinfo_endpoint } = config.serverMetadata();
    const more =
      userinfo_endpoint === undefined
        ? {}
        : await library.fetchUserInfo(config, tokens.access_token, claims.sub);
    return {
      issuer: claims.iss,
      claims: { ...more, ...claims },
      sid: typeof claims.sid === 'string' ? claims.sid : undefined,
      idToken: tokens.id_token,
      refreshToken: tokens.refresh_token,
      returnTo: pending.returnTo,
    };
  } catch (error) {
    throw refusalOf(error, library);
  }
}

function refusalOf(error: unknown, library: typeof import('openid-client')): SignInRefused {
  if (error instanceof SignInRefused) {
    return error;
  }
  if (error instanceof library.AuthorizationResponseError && error.error === 'access_denied') {
    return new SignInRefused('cancelled', describeError(error), { cause: error });
  }
  const code = error instanceof library.ClientError ? error.code : undefined;
  const isUnanswered =
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ||
    code === 'OAUTH_RESPONSE_IS_NOT_JSON' ||
    code === 'OAUTH_PARSE_ERROR' ||
    code === undefined;
  const isSaid =
    error instanceof library.AuthorizationResponseError ||
    error instanceof library.ResponseBodyError ||
    error instanceof library.WWWAuthenticateChallengeError;
  const reason = isUnanswered && !isSaid ? 'provider-down' : 'not-trusted';
  return new SignInRefused(reason, describeError(error), { cause: error });
}
