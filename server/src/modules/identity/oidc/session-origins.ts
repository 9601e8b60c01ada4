import { z } from 'zod';
import type { Seal } from '../../../platform/lib/seal.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { SessionCache } from '../session-cache.ts';
import { maxUncheckedSeconds } from '../session-seconds.ts';
import { createSessions, type SessionLimits, type SessionOrigin } from '../sessions.ts';
import { endMatchingSessions, type SessionSelector } from './end-matching-sessions.ts';

const detailsSchema = z.object({
  provider: z.string(),
  idToken: z.string(),
  refreshToken: z.string().optional(),
});

/** The provider session behind a session, with the tokens to end or renew it. */
export interface Origin extends z.infer<typeof detailsSchema> {
  identity: string;
  sid: string | undefined;
}

/** A session that must be rechecked at its provider. */
export interface DueSession extends Origin {
  sessionId: string;
}

/** Interval between two checks of an active session at its provider. */
const renewMs = 15 * 60_000;
const batchSize = 50;

function renewalAt(): string {
  return new Date(Date.now() + renewMs).toISOString();
}

function refreshAt({ refreshToken }: Pick<Origin, 'refreshToken'>): string | null {
  return refreshToken === undefined ? null : renewalAt();
}

/** The user, maximum duration and client of a new session. */
export interface NewSession {
  userId: string;
  seconds: number;
  from: SessionOrigin;
}

interface Dependencies {
  database: Database;
  seal: Seal;
  sessionLimits: () => SessionLimits;
  sessionCache: SessionCache;
}

/** Sessions that started with a sign-in at an identity provider. */
export function createSessionOrigins(dependencies: Dependencies) {
  const { database, seal, sessionLimits, sessionCache } = dependencies;
  const start = async (
    { userId, seconds, from }: NewSession,
    { identity, sid, ...details }: Origin,
  ): Promise<string> => {
    const id = await database.transaction().execute(async (transaction) => {
      const sessions = createSessions(transaction, sessionLimits);
      const session_id = await sessions.start(userId, seconds, from);
      const refresh_at = refreshAt(details);
      const { provider } = details;
      const row = { session_id, identity, sid: sid ?? null, refresh_at, provider };
      await transaction
        .insertInto('session_origins')
        .values({ ...row, details: seal.seal(JSON.stringify(details), session_id) })
        .execute();
      return session_id;
    });
    // Ends the oldest session of a user who has too many.
    await sessionCache.forget([userId]);
    return id;
  };
  const find = async (sessionId: string): Promise<Origin | undefined> => {
    const row = await database
      .selectFrom('session_origins')
      .selectAll()
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row && originOf(row, seal);
  };
  return {
    /** Starts a session and stores its origin in one transaction. Returns the id. */
    start,
    find,
    /**
     * Starts a child session for an embedded frame; logout at the provider ends both. It is not
     * renewed automatically, because both would use up the same refresh token. Returns the id.
     */
    startChildSession: async (sessionId: string, session: NewSession): Promise<string> => {
      const origin = await find(sessionId);
      if (!origin) {
        const { userId, seconds, from } = session;
        const id = await createSessions(database, sessionLimits).start(userId, seconds, from);
        await sessionCache.forget([userId]);
        return id;
      }
      const { refreshToken, ...rest } = origin;
      const seconds =
        refreshToken === undefined
          ? session.seconds
          : Math.min(session.seconds, maxUncheckedSeconds);
      return start({ ...session, seconds }, { ...rest, sid: providerSessionId(sessionId, origin) });
    },
    /** Active sessions that must be rechecked at their provider. */
    due: () => dueSessions(database, seal),
    /** Schedules the next check, with the same tokens. */
    postpone: async (sessionId: string) => {
      await database
        .updateTable('session_origins')
        .set({ refresh_at: renewalAt() })
        .where('session_id', '=', sessionId)
        .execute();
    },
    /** Stores the tokens for the next check. */
    keep: (sessionId: string, origin: Origin) => keepOrigin({ database, seal }, sessionId, origin),
    end: (which: SessionSelector) => endMatchingSessions(dependencies, which),
    /** Ends a session and its child sessions. Returns their users. */
    endWithChildSessions: async ({ sessionId, ...origin }: DueSession) => {
      const [issuer = ''] = origin.identity.split(' ');
      const own = await endMatchingSessions(dependencies, { sessionId });
      const sid = providerSessionId(sessionId, origin);
      return [...own, ...(await endMatchingSessions(dependencies, { issuer, sid }))];
    },
  };
}

/** The provider's session id, or our own as a substitute that links child sessions. */
function providerSessionId(sessionId: string, { sid = sessionId }: Pick<Origin, 'sid'>): string {
  return sid;
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
    .limit(batchSize)
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

/** Undefined if it was encrypted with another key. */
function originOf(row: Schema['session_origins'], seal: Seal): Origin | undefined {
  const text = seal.open(row.details, row.session_id);
  return text === undefined
    ? undefined
    : {
        ...detailsSchema.parse(JSON.parse(text)),
        identity: row.identity,
        sid: row.sid ?? undefined,
      };
}

export type SessionOrigins = ReturnType<typeof createSessionOrigins>;
