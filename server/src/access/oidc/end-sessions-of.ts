import type { Database } from '../../storage/open-database.ts';
import type { NamedUser } from '../identity.ts';
import { endSessions } from '../sessions.ts';

/** Which sessions have ended elsewhere. */
export type EndedThere =
  /** All of whoever is known by it, however each began. */
  | { identity: string }
  | { sessionId: string }
  /** Those that an issuer calls so. */
  | { issuer: string; sid: string }
  /** Those that began with a provider of another name. */
  | { providersBut: readonly string[] };

export interface Ended extends NamedUser {
  /** Its name; null for a session that began here. */
  provider: string | null;
}

/** Ends sessions. Answers whose each was. */
export async function endSessionsOf(database: Database, which: EndedThere): Promise<Ended[]> {
  const found = await rowsOf(database, which).execute();
  const ended = 'sid' in which ? found.filter(isOf(which.issuer)) : found;
  await endSessions(
    database,
    ended.map(({ sessionId }) => sessionId),
  );
  return ended.map(({ id, name, username, provider }) => ({ id, name, username, provider }));
}

function rowsOf(database: Database, which: EndedThere) {
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

function isOf(issuer: string) {
  return ({ identity }: { identity: string | null }) => identity?.startsWith(`${issuer} `) ?? false;
}
