import { randomUUID } from 'node:crypto';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../platform/storage/open-database.ts';
import { getUserGroups } from './identity.ts';
import { recordUse } from './record-use.ts';
import type { StoredSession } from './session-cache.ts';

/** Sessions of signed-in users, in the database. Changes must be announced: see `SessionCache`. */
export interface Sessions {
  /**
   * Returns the id. Ends the oldest sessions of the user if there are too many. Throws
   * `wrong-credentials` if the user has been deleted in the meantime.
   */
  start(userId: string, seconds: number, from?: SessionOrigin): Promise<string>;
  /** A valid session with its account. Counts as use of the session. */
  find(sessionId: string): Promise<StoredSession | undefined>;
  end(sessionId: string): Promise<void>;
  /** @param but a session to keep */
  endAllOf(userId: string, but?: string): Promise<void>;
}

/** The client of a session, for users to recognize it. */
export interface SessionOrigin {
  /** The address as used by rate limits. */
  address: string;
  /** The User-Agent header. */
  userAgent: string | undefined;
}

export interface SessionLimits {
  /** Idle timeout; 0: never. */
  idleMinutes: number;
  /** Maximum number of concurrent sessions per user. */
  most: number;
}

/** As configured. */
export function getSessionLimits({ localAuth }: Pick<PlatformConfig, 'localAuth'>): SessionLimits {
  return {
    idleMinutes: localAuth.idleTimeoutMinutes,
    most: localAuth.maxSessions,
  };
}

const maxAgentLength = 400;

export function createSessions(database: Database, limits: () => SessionLimits): Sessions {
  return {
    start: (userId, seconds, from) => start(database, limits(), { userId, seconds, from }),
    find: (sessionId) => find(database, limits(), sessionId),
    end: (sessionId) => endSessions(database, [sessionId]),
    endAllOf: async (userId, but = '') => {
      const rows = await idsOf(database).where('user_id', '=', userId).execute();
      await endSessions(
        database,
        rows.map(({ id }) => id).filter((id) => id !== but),
      );
    },
  };
}

/** The only function that deletes sessions. */
export async function endSessions(database: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await database.deleteFrom('sessions').where('id', '=', id).execute();
  }
}

async function start(
  database: Database,
  limits: SessionLimits,
  { userId, seconds, from }: { userId: string; seconds: number; from: SessionOrigin | undefined },
): Promise<string> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const id = randomUUID();
  const expires_at = new Date(now + seconds * 1000).toISOString();
  await deleteExpiredSessions(database, limits, now);
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('sessions')
    .columns(['id', 'user_id', 'expires_at', 'created_at', 'last_used_at', 'address', 'user_agent'])
    .expression((builder) =>
      builder
        .selectFrom('users')
        .select(({ val }) => [
          val(id).as('id'),
          'users.id as user_id',
          val(expires_at).as('expires_at'),
          val(at).as('created_at'),
          val(at).as('last_used_at'),
          val(from?.address ?? null).as('address'),
          val(from?.userAgent?.slice(0, maxAgentLength) ?? null).as('user_agent'),
        ])
        .where('users.id', '=', userId),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) {
    throw problem('wrong-credentials', 'The name or the password is wrong.');
  }
  const rows = await idsOf(database)
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .orderBy('created_at', 'desc')
    .execute();
  await endSessions(
    database,
    rows.slice(limits.most - 1).map((row) => row.id),
  );
  return id;
}

/** Deletes expired and idle sessions of all users. */
export async function deleteExpiredSessions(
  database: Database,
  { idleMinutes }: SessionLimits,
  now: number,
): Promise<void> {
  const rows = await idsOf(database)
    .where(({ eb, or }) =>
      or([
        eb('expires_at', '<', new Date(now).toISOString()),
        ...(idleMinutes > 0 ? [eb('last_used_at', '<', idleSince(idleMinutes, now))] : []),
      ]),
    )
    .execute();
  await endSessions(
    database,
    rows.map(({ id }) => id),
  );
}

async function find(
  database: Database,
  { idleMinutes }: SessionLimits,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const now = Date.now();
  const row = await database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.name', 'users.groups', 'users.directory'])
    .select(['sessions.last_used_at', 'sessions.expires_at'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', new Date(now).toISOString())
    .where('users.disabled', '=', 0)
    .executeTakeFirst();
  if (!row) {
    return undefined;
  }
  // A session of an older version has no time yet: the idle timeout starts now.
  const used = row.last_used_at;
  if (used !== null && idleMinutes > 0 && used < idleSince(idleMinutes, now)) {
    await endSessions(database, [sessionId]);
    return undefined;
  }
  await recordUse(database, 'sessions', { id: sessionId, lastUsedAt: used });
  const account = { id: row.id, name: row.name, groups: getUserGroups(row) };
  return { account, expiresAt: row.expires_at };
}

function idleSince(idleMinutes: number, now: number): string {
  return new Date(now - idleMinutes * 60_000).toISOString();
}

function idsOf(database: Database) {
  return database.selectFrom('sessions').select('id');
}
