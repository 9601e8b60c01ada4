import { isRecord } from '@knowhow/shared/is-record';
import type { JWTPayload } from 'jose';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Account } from '../caller.ts';
import { getUserGroups, identityKey } from '../identity.ts';
import { admitPerson } from './admit-person.ts';
import { findByIdentity } from './link-account.ts';
import type { OidcClients } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { ClaimsRefused, readPerson } from './read-person.ts';
import { claimedIssuer, type VerifyToken } from './verify-token.ts';

interface Dependencies {
  clients: OidcClients;
  verify: VerifyToken;
}

/** The sessions that a logout token ends: one, or all of a subject. */
export interface LoggedOut {
  issuer: string;
  sid: string | undefined;
  subject: string | undefined;
  /** The token's id, for replay protection. */
  jti: string;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Maximum age of a logout token, in seconds. */
const maxLogoutAge = 600;
/** Seconds for which a token can be valid, with a clock skew of one minute in either direction. */
export const logoutTokenSeconds = maxLogoutAge + 2 * 60;

/** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws for an invalid one. */
export async function readLogoutToken(
  token: string,
  provider: OidcProvider,
  verifying: Dependencies,
): Promise<LoggedOut> {
  const audience = provider.clientId;
  const claims = await verifiedClaims(
    token,
    provider,
    { audience, maxAge: maxLogoutAge },
    verifying,
  );
  const { events, nonce, sid, sub: subject, iss: issuer = '', jti } = claims;
  const isLogout = isRecord(events) && isRecord(events[logoutEvent]) && nonce === undefined;
  const session = typeof sid === 'string' ? sid : undefined;
  const isWrong = typeof jti !== 'string' || jti === '' || session !== sid;
  if (!isLogout || isWrong || (session === undefined && subject === undefined)) {
    throw new Error('The token is not a logout token.');
  }
  return { issuer, sid: session, subject, jti };
}

/**
 * The account of an access token that a provider has issued for `/mcp`. Undefined for a token of
 * another issuer. Null for an invalid token, and for people without an account or access here.
 */
export async function findAccountByToken(
  token: string,
  providers: readonly OidcProvider[],
  { database, ...verifying }: Dependencies & { database: Database },
): Promise<Account | null | undefined> {
  const issuer = claimedIssuer(token);
  const provider = providers.find(
    (each) => each.mcpAudience !== undefined && issuer !== undefined && isSame(each.issuer, issuer),
  );
  if (!provider) {
    return undefined;
  }
  const audience = provider.mcpAudience ?? '';
  const claims = await verifiedClaims(token, provider, { audience }, verifying).catch(() => null);
  const user =
    typeof claims?.sub === 'string' &&
    isStillAdmitted(claims, provider) &&
    (await findByIdentity(database, identityKey(claims.iss ?? '', claims.sub)));
  return user && user.disabled === 0
    ? { id: user.id, name: user.name, groups: getUserGroups(user) }
    : null;
}

/**
 * Rechecks the access policy, as far as the token contains the necessary claims. Otherwise the last
 * sign-in counts.
 */
function isStillAdmitted(claims: JWTPayload, provider: OidcProvider): boolean {
  const { allow } = provider;
  if (allow === undefined) {
    return true;
  }
  try {
    const person = readPerson(claims, provider);
    const { notes } = person;
    const hasGroups = !notes.includes('no-groups') && !notes.includes('groups-left-out');
    const hasEmail = claims.email !== undefined && claims.email_verified !== undefined;
    const hasAllClaims =
      (allow.groups === undefined || hasGroups) && (allow.emails === undefined || hasEmail);
    return !hasAllClaims || admitPerson(person, provider, true) === 'admitted';
  } catch (error) {
    if (error instanceof ClaimsRefused) {
      return false;
    }
    throw error;
  }
}

async function verifiedClaims(
  token: string,
  provider: OidcProvider,
  rules: { audience: string; maxAge?: number },
  { clients, verify }: Dependencies,
): Promise<JWTPayload> {
  const { issuer, jwks_uri } = await clients.discover(provider);
  return verify(token, { ...rules, issuer, jwksUri: jwks_uri });
}

/** Compares issuers; a trailing slash of the host does not matter. */
function isSame(one: string, other: string): boolean {
  return URL.canParse(other) && new URL(one).href === new URL(other).href;
}
