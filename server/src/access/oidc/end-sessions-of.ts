import type { Database } from '../../storage/open-database.ts';
import type { NamedUser } from '../identity.ts';
import { endSessions } from '../sessions.ts';

/** Ends every session of whoever is known by this identity, however it began. Answers whose each was. */
export async function endSessionsOf(database: Database, identity: string): Promise<NamedUser[]> {
  const found = await database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as sessionId', 'users.id', 'users.name', 'username'])
    .where('users.identity', '=', identity)
    .execute();
  await endSessions(
    database,
    found.map(({ sessionId }) => sessionId),
  );
  return found.map(({ id, name, username }) => ({ id, name, username }));
}
