import { z } from 'zod';
import type { Seal } from '../../lib/seal.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Schema } from '../../storage/schema.ts';
import { unaskedSeconds } from '../session-seconds.ts';
import { createSessions, type SessionLimits, type SessionOrigin } from '../sessions.ts';
import { type EndedThere, endSessionsOf } from './end-sessions-of.ts';

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

function renewalAt(): string {
  return new Date(Date.now() + renewMs).toISOString();
}

function refreshAt({ refreshToken }: Pick<Origin, 'refreshToken'>): string | null {
  return refreshToken === undefined ? null : renewalAt();
}

/** Whose a session is, how long it may last, and where it begins. */
export interface NewSession {
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
  const start = (
    { userId, seconds, from }: NewSession,
    { identity, sid, ...details }: Origin,
  ): Promise<string> =>
    database.transaction().execute(async (transaction) => {
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
  const find = async (sessionId: string): Promise<Origin | undefined> => {
    const row = await database
      .selectFrom('session_origins')
      .selectAll()
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row && originOf(row, seal);
  };
  return {
    /** Answers the id. Both or nothing are there. */
    start,
    find,
    /**
     * Another session beside one, for a frame: what ends that at its provider ends this, too. It is not renewed by
     * itself: two would use up the same token. Answers the id.
     */
    startChildSession: async (sessionId: string, session: NewSession): Promise<string> => {
      const origin = await find(sessionId);
      if (!origin) {
        const { userId, seconds, from } = session;
        return createSessions(database, sessionLimits).start(userId, seconds, from);
      }
      const { refreshToken, ...rest } = origin;
      const seconds =
        refreshToken === undefined ? session.seconds : Math.min(session.seconds, unaskedSeconds);
      return start({ ...session, seconds }, { ...rest, sid: nameOf(sessionId, origin) });
    },
    /** Those in use of which a provider is to be asked again. */
    due: () => dueSessions(database, seal),
    /** Asked again later, with the same. */
    postpone: async (sessionId: string) => {
      await database
        .updateTable('session_origins')
        .set({ refresh_at: renewalAt() })
        .where('session_id', '=', sessionId)
        .execute();
    },
    /** What is to be asked with the next time. */
    keep: (sessionId: string, origin: Origin) => keepOrigin({ database, seal }, sessionId, origin),
    end: (which: EndedThere) => endSessionsOf(database, which),
    /** One that is over there, and those beside it. Answers whose they were. */
    endWithChildSessions: async ({ sessionId, ...origin }: DueSession) => {
      const [issuer = ''] = origin.identity.split(' ');
      const own = await endSessionsOf(database, { sessionId });
      const sid = nameOf(sessionId, origin);
      return [...own, ...(await endSessionsOf(database, { issuer, sid }))];
    },
  };
}

/** What its provider calls a session; its own id where it does not say, for those beside it. */
function nameOf(sessionId: string, { sid = sessionId }: Pick<Origin, 'sid'>): string {
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
