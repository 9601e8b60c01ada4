import { setTimeout as wait } from 'node:timers/promises';
import { problem } from '@knowhow/shared/problem';
import type { NodeConnection } from '../../storage/postgres/node-connection.ts';
import type { Cluster } from '../cluster.ts';
import { localLocks } from '../local-locks.ts';

interface PostgresLocks {
  withLock: Cluster['withLock'];
  /** The same without a timeout, for work that may take arbitrarily long on another node. */
  withLockPatiently: Cluster['withLock'];
  /** Call it after a reconnect: acquires held locks again. */
  takeAgain(): Promise<void>;
}

/** Hash seed that separates these locks from those of transactions. */
const seed = 4_935_612_809;
const minPauseMs = 5;
const maxPauseMs = 250;
/** Timeout for a lock that another node holds. */
const timeoutMs = 30_000;

/**
 * Advisory locks of the node's own connection, which end with it. Within the node, an in-memory queue decides the
 * order; a lock held by another node is polled.
 */
export function postgresLocks(connection: Pick<NodeConnection, 'query'>): PostgresLocks {
  const local = localLocks();
  const heldNames: string[] = [];
  const take = async (name: string) => {
    const [row] = await connection.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(hashtextextended($1, ${seed})) as taken`,
      [name],
    );
    return row?.taken === true;
  };
  const release = async (name: string) => {
    heldNames.splice(heldNames.indexOf(name), 1);
    // If the connection is lost, the lock is gone anyway.
    await connection
      .query(`select pg_advisory_unlock(hashtextextended($1, ${seed}))`, [name])
      .catch(() => undefined);
  };
  const createLock =
    (timeoutMs: number): Cluster['withLock'] =>
    (name, work) =>
      // Re-entrant, because PostgreSQL counts advisory locks.
      local(name, async () => {
        await acquireWithBackOff(() => take(name), timeoutMs);
        heldNames.push(name);
        try {
          return await work();
        } finally {
          await release(name);
        }
      });
  return {
    withLock: createLock(timeoutMs),
    withLockPatiently: createLock(Number.POSITIVE_INFINITY),
    takeAgain: async () => {
      await Promise.allSettled(heldNames.map(take));
    },
  };
}

async function acquireWithBackOff(take: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (let pause = minPauseMs; !(await take()); pause = Math.min(2 * pause, maxPauseMs)) {
    if (performance.now() > end) {
      throw problem('not-ready', 'Another server is working on this. Try again in a moment.', {
        retryAfter: 5,
      });
    }
    await wait(pause);
  }
}
