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
  const endAll = async (ids: readonly { session_id: string }[]) => {
    const sessions = createSessions(database, sessionLimits);
    for (const { session_id } of ids) {
      await sessions.end(session_id);
    }
    return ids.length;
  };
  const of = (identity: string) =>
    database.selectFrom('session_origins').select('session_id').where('identity', '=', identity);
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
    /** All of somebody. Answers how many. */
    endAllOf: async (identity: string) => endAll(await of(identity).execute()),
    /** Those that an issuer calls so. Answers how many. */
    endBySid: async (issuer: string, sid: string) => {
      const rows = await database
        .selectFrom('session_origins')
        .select(['session_id', 'identity'])
        .where('sid', '=', sid)
        .execute();
      return endAll(rows.filter(({ identity }) => identity.startsWith(`${issuer} `)));
    },
  };
}

export type SessionOrigins = ReturnType<typeof createSessionOrigins>;
