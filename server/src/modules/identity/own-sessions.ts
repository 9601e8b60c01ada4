import type { AccountSession } from '@knowhow/shared/access/account';
import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../platform/storage/open-database.ts';
import type { SessionCache } from './session-cache.ts';
import { deleteExpiredSessions, endSessions, type SessionLimits } from './sessions.ts';

/** A user's active sessions, for the account page. */
export interface OwnSessions {
  /**
   * Valid sessions, most recently used first.
   *
   * @param current the session that makes the request
   */
  list(userId: string, current: string | undefined): Promise<AccountSession[]>;
  /** Returns the ended session. Throws `not-found` unless it is the user's. */
  end(userId: string, id: string): Promise<AccountSession>;
}

interface Dependencies {
  database: Database;
  sessionLimits: () => SessionLimits;
  sessionCache: SessionCache;
}

export function createOwnSessions({
  database,
  sessionLimits: limits,
  sessionCache,
}: Dependencies): OwnSessions {
  const list: OwnSessions['list'] = async (userId, current) => {
    await deleteExpiredSessions(database, limits(), Date.now());
    const rows = await database
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('last_used_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      isCurrent: row.id === current,
      ...parseUserAgent(row.user_agent ?? ''),
      ...(row.address === null ? {} : { address: row.address }),
      ...(row.created_at === null ? {} : { startedAt: row.created_at }),
      ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    }));
  };
  return {
    list,
    end: async (userId, id) => {
      const found = (await list(userId, undefined)).find((session) => session.id === id);
      if (!found) {
        throw problem('not-found', 'You have no such session: it may have ended already.');
      }
      await endSessions(database, [id]);
      await sessionCache.forget([id]);
      return found;
    },
  };
}

/** Detects browser and operating system from a User-Agent header. Unknown ones are omitted. */
function parseUserAgent(userAgent: string): { browser?: string; system?: string } {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  return { ...(browser && { browser }), ...(system && { system }) };
}

type Marks = readonly (readonly [name: string, mark: RegExp])[];

/** Order matters: most browsers also claim to be one of those below. */
const browsers: Marks = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];

const systems: Marks = [
  ['iOS', /\biPhone\b/],
  ['iPadOS', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

function nameIn(marks: Marks, userAgent: string): string | undefined {
  return marks.find(([, mark]) => mark.test(userAgent))?.[0];
}
