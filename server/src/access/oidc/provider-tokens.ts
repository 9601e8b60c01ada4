import { isRecord } from '@knowhow/shared/is-record';
import type { JWTPayload } from 'jose';
import type { Database } from '../../storage/open-database.ts';
import type { Account } from '../caller.ts';
import { groupsOfUser, identityOf } from '../identity.ts';
import { admitPerson } from './admit-person.ts';
import { findByIdentity } from './link-account.ts';
import type { OidcClients } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { ClaimsRefused, readPerson } from './read-person.ts';
import { claimedIssuer, type VerifyToken } from './verify-token.ts';

interface Verifying {
  clients: OidcClients;
  verify: VerifyToken;
}

/** Whose sessions are to end, as a provider says: one of them, or all of somebody. */
export interface LoggedOut {
  issuer: string;
  sid: string | undefined;
  subject: string | undefined;
  /** The token's own id: each token counts once. */
  jti: string;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Seconds: a provider says it at once. */
const maxLogoutAge = 600;
/** Seconds for which a token can be valid, with clocks that differ by a minute in either direction. */
export const logoutTokenSeconds = maxLogoutAge + 2 * 60;

/** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws for an invalid one. */
export async function readLogoutToken(
  token: string,
  provider: OidcProvider,
  verifying: Verifying,
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
    throw new Error('It is no token of a logout.');
  }
  return { issuer, sid: session, subject, jti };
}

/**
 * The account of an access token that a provider has made for our `/mcp`. Undefined for a token that is of none of
 * them; null for one that does not hold, or of somebody who has never signed in here or may not.
 */
export async function accountOfToken(
  token: string,
  providers: readonly OidcProvider[],
  { database, ...verifying }: Verifying & { database: Database },
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
    mayStill(claims, provider) &&
    (await findByIdentity(database, identityOf(claims.iss ?? '', claims.sub)));
  return user && user.disabled === 0
    ? { id: user.id, name: user.name, groups: groupsOfUser(user) }
    : null;
}

/**
 * Whether the rule of who may come in still says yes, as far as the token says what that asks for: else the last
 * sign-in counts.
 */
function mayStill(claims: JWTPayload, provider: OidcProvider): boolean {
  const { allow } = provider;
  if (allow === undefined) {
    return true;
  }
  try {
    const person = readPerson(claims, provider);
    const { notes } = person;
    const hasGroups = !notes.includes('no-groups') && !notes.includes('groups-left-out');
    const hasEmail = claims.email !== undefined && claims.email_verified !== undefined;
    const saysAll =
      (allow.groups === undefined || hasGroups) && (allow.emails === undefined || hasEmail);
    return !saysAll || admitPerson(person, provider, true) === 'admitted';
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
  { clients, verify }: Verifying,
): Promise<JWTPayload> {
  const { issuer, jwks_uri } = await clients.discover(provider);
  return verify(token, { ...rules, issuer, jwksUri: jwks_uri });
}

/** With a slash at the end of the host, or without. */
function isSame(one: string, other: string): boolean {
  return URL.canParse(other) && new URL(one).href === new URL(other).href;
}
