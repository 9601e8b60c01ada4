import { problem } from '@knowhow/shared/problem';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import type { Database } from '../../platform/storage/open-database.ts';

/**
 * Limits guesses of second-factor codes for a user whose password is known. After `maxFreeGuesses`
 * the limit is one guess per ten minutes, across all addresses. At any time, three of a million
 * codes are valid. An address where the user has a session is counted separately, so that an
 * attacker cannot lock the user out.
 */
export interface CodeGuesses {
  /** Runs a check; false means a wrong code. Throws `too-many-requests` with the time to wait. */
  attempt(who: Guess, check: () => Promise<boolean>): Promise<boolean>;
}

interface Guess {
  userId: string;
  /** The address as used by rate limits. */
  address: string;
}

const maxFreeGuesses = 10;
const perMinute = 0.1;

export function createCodeGuesses(database: Database, cluster: Cluster): CodeGuesses {
  const counts = cluster.leakyCounts('second factor', () => perMinute);
  const keyOf = async ({ userId, address }: Guess) =>
    (await isKnown(database, { userId, address })) ? `${userId} ${address}` : userId;
  return {
    attempt: (who, check) =>
      cluster.withLock(`second factor ${who.userId}`, async () => {
        const key = await keyOf(who);
        const { count } = await counts.read(key);
        if (count + 1 > maxFreeGuesses) {
          const minutes = Math.ceil((count + 1 - maxFreeGuesses) / perMinute);
          throw problem(
            'too-many-requests',
            `Too many wrong codes were tried. Use a recovery code, or try again in ${minutes} minutes.`,
            { retryAfter: minutes * 60 },
          );
        }
        const isRight = await check();
        await (isRight ? counts.forget(key) : counts.add(key));
        return isRight;
      }),
  };
}

/** Whether the user has a session from this address. */
async function isKnown(database: Database, { userId, address }: Guess): Promise<boolean> {
  const row = await database
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return row !== undefined;
}
