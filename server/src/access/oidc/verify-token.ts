import type { JWTPayload, JWTVerifyGetKey } from 'jose';

/** A signed token of an issuer, and what it has to be. */
export interface TokenRules {
  jwksUri: string;
  issuer: string;
  audience: string;
  /** At most so many seconds old, by what it says itself. */
  maxAge?: number;
}

/** Checks a token and gives its claims. Throws for one that does not hold, or where no keys come. */
export type VerifyToken = (token: string, rules: TokenRules) => Promise<JWTPayload>;

/** Signatures that only the issuer can make: none with a secret that others have, too. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const clockSeconds = 60;
const maxLength = 32_000;

/** Keeps the keys of each issuer for ten minutes; an unknown one is looked for at once, every ten seconds at most. */
export function createVerifyToken(fetch: typeof globalThis.fetch): VerifyToken {
  const keys = new Map<string, JWTVerifyGetKey>();
  return async (token, { jwksUri, issuer, audience, maxAge }) => {
    if (token.length > maxLength) {
      throw new Error('The token is too long.');
    }
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose');
    const known =
      keys.get(jwksUri) ??
      createRemoteJWKSet(new URL(jwksUri), {
        [customFetch]: (url: string, options: RequestInit) => fetch(url, options),
        timeoutDuration: 10_000,
        cooldownDuration: 10_000,
        cacheMaxAge: 600_000,
      });
    keys.set(jwksUri, known);
    const { payload } = await jwtVerify(token, known, {
      ...{ issuer, audience, algorithms, clockTolerance: clockSeconds },
      requiredClaims: maxAge === undefined ? ['exp'] : ['iat'],
      ...(maxAge === undefined ? {} : { maxTokenAge: maxAge }),
    });
    return payload;
  };
}

/** Who claims to have made a token, and nobody has checked that yet; undefined where it is none. */
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
