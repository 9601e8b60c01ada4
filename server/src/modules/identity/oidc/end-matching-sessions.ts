import type { Database } from '../../../platform/storage/open-database.ts';
import type { NamedUser } from '../identity.ts';
import type { SessionCache } from '../session-cache.ts';
import { endSessions } from '../sessions.ts';

/** Selects sessions that an identity provider has ended. */
export type SessionSelector =
  /** All sessions of the user with this identity, however they started. */
  | { identity: string }
  | { sessionId: string }
  /** Sessions with this `sid` of an issuer. */
  | { issuer: string; sid: string }
  /** Sessions started with any provider other than these. */
  | { providersBut: readonly string[] };

export interface EndedSession extends NamedUser {
  /** Name of the provider; null for a local sign-in. */
  provider: string | null;
}

/** Ends sessions. Returns the user of each. */
export async function endMatchingSessions(
  { database, sessionCache }: { database: Database; sessionCache: SessionCache },
  which: SessionSelector,
): Promise<EndedSession[]> {
  const found = await rowsOf(database, which).execute();
  const ended = 'sid' in which ? found.filter(isFromIssuer(which.issuer)) : found;
  const ids = ended.map(({ sessionId }) => sessionId);
  await endSessions(database, ids);
  await sessionCache.forget(ids);
  return ended.map(({ id, name, username, provider }) => ({ id, name, username, provider }));
}

function rowsOf(database: Database, which: SessionSelector) {
  const rows = database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('session_origins', 'session_origins.session_id', 'sessions.id')
    .select(['sessions.id as sessionId', 'users.id', 'users.name', 'username'])
    .select(['session_origins.identity', 'provider']);
  if ('identity' in which) {
    return rows.where('users.identity', '=', which.identity);
  }
  if ('sessionId' in which) {
    return rows.where('sessions.id', '=', which.sessionId);
  }
  if ('sid' in which) {
    return rows.where('sid', '=', which.sid);
  }
  const { providersBut } = which;
  const known = rows.where('provider', 'is not', null);
  return providersBut.length === 0 ? known : known.where('provider', 'not in', providersBut);
}

function isFromIssuer(issuer: string) {
  return ({ identity }: { identity: string | null }) => identity?.startsWith(`${issuer} `) ?? false;
}
