import type { JWTPayload, JWTVerifyGetKey } from 'jose';

/** Requirements for a signed token. */
export interface TokenRules {
  jwksUri: string;
  issuer: string;
  audience: string;
  /** Maximum age in seconds, by its `iat` claim. */
  maxAge?: number;
}

/**
 * Verifies a token and returns its claims. Throws for an invalid token, or if the keys cannot be
 * loaded.
 */
export type VerifyToken = (token: string, rules: TokenRules) => Promise<JWTPayload>;

/** Asymmetric algorithms only: a shared secret would let others sign, too. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const clockSeconds = 60;
const maxLength = 32_000;

/**
 * Caches the JWKS of each issuer for ten minutes. An unknown key ID reloads it at once, at most
 * every ten seconds.
 */
export function createVerifyToken(fetch: typeof globalThis.fetch): VerifyToken {
  const keys = new Map<string, JWTVerifyGetKey>();
  return async (token, { jwksUri, issuer, audience, maxAge }) => {
    if (token.length > maxLength) {
      throw new Error('The token is too long.');
    }
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose');
    const jwks =
      keys.get(jwksUri) ??
      createRemoteJWKSet(new URL(jwksUri), {
        [customFetch]: (url: string, options: RequestInit) => fetch(url, options),
        timeoutDuration: 10_000,
        cooldownDuration: 10_000,
        cacheMaxAge: 600_000,
      });
    keys.set(jwksUri, jwks);
    const { payload } = await jwtVerify(token, jwks, {
      issuer,
      audience,
      algorithms,
      clockTolerance: clockSeconds,
      requiredClaims: maxAge === undefined ? ['exp'] : ['iat'],
      ...(maxAge === undefined ? {} : { maxTokenAge: maxAge }),
    });
    return payload;
  };
}

/** The unverified `iss` claim of a token; undefined if it is not a JWT. */
export function claimedIssuer(token: string): string | undefined {
  const [, claims, ...rest] = token.split('.');
  if (claims === undefined || rest.length !== 1 || token.length > maxLength) {
    return undefined;
  }
  try {
    const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as {
      iss?: unknown;
    };
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
