import { z } from 'zod';
import type { Seal } from '../../lib/seal.ts';
import type { Database } from '../../storage/open-database.ts';
import { createSessions, type SessionLimits } from '../sessions.ts';

const detailsSchema = z.object({
  provider: z.string(),
  idToken: z.string(),
  refreshToken: z.string().optional(),
});

/** Where a session comes from, and what ends or renews it there. */
export interface Origin extends z.infer<typeof detailsSchema> {
  identity: string;
  sid: string | undefined;
}

interface Dependencies {
  database: Database;
  seal: Seal;
  sessionLimits: () => SessionLimits;
}

/** Sessions that began with a provider. */
export function createSessionOrigins({ database, seal, sessionLimits }: Dependencies) {
  const rows = database
    .selectFrom('session_origins')
    .innerJoin('sessions', 'sessions.id', 'session_origins.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['session_id', 'session_origins.identity', 'users.id', 'users.name', 'username']);
  const endAll = async (found: Awaited<ReturnType<typeof rows.execute>>) => {
    const sessions = createSessions(database, sessionLimits);
    for (const { session_id } of found) {
      await sessions.end(session_id);
    }
    return found.map(({ id, name, username }) => ({ id, name, username }));
  };
  return {
    /** Answers the id. Both or nothing are there. */
    start: (userId: string, seconds: number, { identity, sid, ...details }: Origin) =>
      database.transaction().execute(async (transaction) => {
        const session_id = await createSessions(transaction, sessionLimits).start(userId, seconds);
        const row = { session_id, identity, sid: sid ?? null, refresh_at: null };
        await transaction
          .insertInto('session_origins')
          .values({ ...row, details: seal.seal(JSON.stringify(details), session_id) })
          .execute();
        return session_id;
      }),
    find: async (sessionId: string): Promise<Origin | undefined> => {
      const row = await database
        .selectFrom('session_origins')
        .selectAll()
        .where('session_id', '=', sessionId)
        .executeTakeFirst();
      const text = row && seal.open(row.details, sessionId);
      return row && text !== undefined
        ? {
            ...detailsSchema.parse(JSON.parse(text)),
            identity: row.identity,
            sid: row.sid ?? undefined,
          }
        : undefined;
    },
    /** All of somebody. Answers whose they were. */
    endAllOf: async (identity: string) =>
      endAll(await rows.where('session_origins.identity', '=', identity).execute()),
    /** Those that an issuer calls so. Answers whose they were. */
    endBySid: async (issuer: string, sid: string) => {
      const found = await rows.where('sid', '=', sid).execute();
      return endAll(found.filter(({ identity }) => identity.startsWith(`${issuer} `)));
    },
  };
}

export type SessionOrigins = ReturnType<typeof createSessionOrigins>;
