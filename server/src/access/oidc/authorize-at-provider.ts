import { z } from 'zod';
import type { Seal } from '../../lib/seal.ts';
import { type OidcClients, reasonOf } from './oidc-client.ts';
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

/** How long somebody may take at the provider, in seconds. */
export const pendingSeconds = 600;

/** Whoever is sent to a provider is sent to one that has answered just now. */
const aliveMs = 5000;

const owner = 'oidc sign-in';

export interface Begun {
  /** For the browser: at the provider. */
  url: string;
  state: string;
  /** To be kept by this browser alone until it comes back; nobody can read or change it. */
  pending: string;
}

/** What a provider has said, all checked. */
export interface VerifiedIdentity {
  issuer: string;
  claims: Record<string, unknown>;
  sid: string | undefined;
  idToken: string;
  refreshToken: string | undefined;
  returnTo: string;
}

interface Asking {
  clients: OidcClients;
  seal: Seal;
}

/** Begins: authorization code with PKCE, state and nonce. Throws `SignInRefused`. */
export async function startAuthorization(
  provider: OidcProvider,
  { redirectUrl, returnTo }: { redirectUrl: string; returnTo: string },
  { clients, seal }: Asking,
): Promise<Begun> {
  const { library, config } = await clients.configure(provider, aliveMs);
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
    ...{ provider: name, issuer, state, nonce, verifier },
    ...{ redirectUrl, returnTo, expiresAt },
  };
  return { url: url.href, state, pending: seal.seal(JSON.stringify(pending), owner) };
}

/** What was kept of a sign-in that this browser has begun here; undefined for none. */
export function pendingOf(
  kept: string | undefined,
  provider: Pick<OidcProvider, 'name' | 'issuer'>,
  seal: Seal,
): Pending | undefined {
  const text = kept === undefined ? undefined : seal.open(kept, owner);
  const pending = text === undefined ? undefined : pendingSchema.parse(JSON.parse(text));
  const isSame = pending?.provider === provider.name && pending.issuer === provider.issuer;
  return isSame && pending.expiresAt > Date.now() ? pending : undefined;
}

/** Ends it with what the browser came back with. Throws `SignInRefused`. */
export async function completeAuthorization(
  provider: OidcProvider,
  { pending, query }: { pending: Pending; query: URLSearchParams },
  { clients }: Asking,
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
    return new SignInRefused('cancelled', reasonOf(error), { cause: error });
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
  return new SignInRefused(reason, reasonOf(error), { cause: error });
}
