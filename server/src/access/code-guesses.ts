import { problem } from '@knowhow/shared/problem';
import type { Cluster } from '../cluster/cluster.ts';
import type { Database } from '../storage/open-database.ts';

/**
 * Bounds how many codes are tried of a user whose password somebody knows: so many at once, and then one in ten
 * minutes, wherever they come from. Of a million codes three are right at any time. Those who guess elsewhere
 * keep nobody out who comes from an address at which they are signed in already.
 */
export interface CodeGuesses {
  /** Runs a check; false means a wrong code. Throws `too-many-requests` with the time to wait. */
  attempt(who: Guess, check: () => Promise<boolean>): Promise<boolean>;
}

interface Guess {
  userId: string;
  /** As limits count it. */
  address: string;
}

const free = 10;
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
        if (count + 1 > free) {
          const minutes = Math.ceil((count + 1 - free) / perMinute);
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

/** Whether the user is signed in from there. */
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
