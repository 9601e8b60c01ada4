import { z } from 'zod';
import type { Seal } from '../../lib/seal.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Schema } from '../../storage/schema.ts';
import { createSessions, type SessionLimits, type SessionOrigin } from '../sessions.ts';
import { endSessionsOf } from './end-sessions-of.ts';

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

/** A session of which its provider is to be asked again. */
export interface DueSession extends Origin {
  sessionId: string;
}

/** How long what a provider has said counts, in a session that is used. */
const renewMs = 15 * 60_000;
const mostAtOnce = 50;

function refreshAt({ refreshToken }: Pick<Origin, 'refreshToken'>): string | null {
  return refreshToken === undefined ? null : new Date(Date.now() + renewMs).toISOString();
}

/** Whose a session is, how long it may last, and where it begins. */
export interface Beginning {
  userId: string;
  seconds: number;
  from: SessionOrigin;
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
    start: (
      { userId, seconds, from }: Beginning,
      { identity, sid, ...details }: Origin,
    ): Promise<string> =>
      database.transaction().execute(async (transaction) => {
        const sessions = createSessions(transaction, sessionLimits);
        const session_id = await sessions.start(userId, seconds, from);
        const refresh_at = refreshAt(details);
        const row = { session_id, identity, sid: sid ?? null, refresh_at };
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
      return row && originOf(row, seal);
    },
    /** Those in use of which a provider is to be asked again. */
    due: () => dueSessions(database, seal),
    /** What is to be asked with the next time. */
    keep: (sessionId: string, origin: Origin) => keepOrigin({ database, seal }, sessionId, origin),
    end: (sessionId: string) => createSessions(database, sessionLimits).end(sessionId),
    /** All of somebody. Answers whose they were. */
    endAllOf: (identity: string) => endSessionsOf(database, identity),
    /** Those that an issuer calls so. Answers whose they were. */
    endBySid: async (issuer: string, sid: string) => {
      const found = await rows.where('sid', '=', sid).execute();
      return endAll(found.filter(({ identity }) => identity.startsWith(`${issuer} `)));
    },
  };
}

async function dueSessions(database: Database, seal: Seal): Promise<DueSession[]> {
  const now = Date.now();
  const found = await database
    .selectFrom('session_origins')
    .innerJoin('sessions', 'sessions.id', 'session_origins.session_id')
    .selectAll('session_origins')
    .where('refresh_at', '<=', new Date(now).toISOString())
    .where('sessions.last_used_at', '>', new Date(now - renewMs).toISOString())
    .orderBy('refresh_at')
    .limit(mostAtOnce)
    .execute();
  return found.flatMap((row) => {
    const origin = originOf(row, seal);
    return origin ? [{ ...origin, sessionId: row.session_id }] : [];
  });
}

async function keepOrigin(
  { database, seal }: Pick<Dependencies, 'database' | 'seal'>,
  sessionId: string,
  { provider, idToken, refreshToken }: Origin,
): Promise<void> {
  const details = {
    provider,
    idToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
  await database
    .updateTable('session_origins')
    .set({
      details: seal.seal(JSON.stringify(details), sessionId),
      refresh_at: refreshAt({ refreshToken }),
    })
    .where('session_id', '=', sessionId)
    .execute();
}

/** Undefined for what was sealed with another secret. */
function originOf(row: Schema['session_origins'], seal: Seal): Origin | undefined {
  const text = seal.open(row.details, row.session_id);
  return text === undefined
    ? undefined
    : {
        ...detailsSchema.parse(JSON.parse(text)),
        ...{ identity: row.identity, sid: row.sid ?? undefined },
      };
}

export type SessionOrigins = ReturnType<typeof createSessionOrigins>;
