import { setTimeout as wait } from 'node:timers/promises';
import { problem } from '@knowhow/shared/problem';
import type { NodeConnection } from '../../storage/postgres/node-connection.ts';
import type { Cluster } from '../cluster.ts';
import { localLocks } from '../local-locks.ts';

interface PostgresLocks {
  withLock: Cluster['withLock'];
  /** The same for what may take as long as it takes on another node. */
  withLockPatiently: Cluster['withLock'];
  /** To be called when the node's connection is another: takes again what is held. */
  takeAgain(): Promise<void>;
}

/** So that these are others than those of transactions. */
const seed = 4_935_612_809;
const first = 5;
const longest = 250;
/** Of waiting for another node. */
const patienceMs = 30_000;

/**
 * Advisory locks of the node's own connection: they go with it, and so with the node. Within the node the queue in memory
 * says whose turn it is; another that holds it is asked again and again.
 */
export function postgresLocks(connection: Pick<NodeConnection, 'query'>): PostgresLocks {
  const local = localLocks();
  const held: string[] = [];
  const take = async (name: string) => {
    const [row] = await connection.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(hashtextextended($1, ${seed})) as taken`,
      [name],
    );
    return row?.taken === true;
  };
  const release = async (name: string) => {
    held.splice(held.indexOf(name), 1);
    // With the connection it has gone in any case.
    await connection
      .query(`select pg_advisory_unlock(hashtextextended($1, ${seed}))`, [name])
      .catch(() => undefined);
  };
  const under =
    (patience: number): Cluster['withLock'] =>
    (name, work) =>
      // Who holds it takes it again: the database counts.
      local(name, async () => {
        await untilTaken(() => take(name), patience);
        held.push(name);
        try {
          return await work();
        } finally {
          await release(name);
        }
      });
  return {
    withLock: under(patienceMs),
    withLockPatiently: under(Number.POSITIVE_INFINITY),
    takeAgain: async () => {
      await Promise.allSettled(held.map(take));
    },
  };
}

async function untilTaken(take: () => Promise<boolean>, patience: number): Promise<void> {
  const end = performance.now() + patience;
  for (let pause = first; !(await take()); pause = Math.min(2 * pause, longest)) {
    if (performance.now() > end) {
      throw problem('not-ready', 'Another server is at work on this. Try again in a moment.', {
        retryAfter: 5,
      });
    }
    await wait(pause);
  }
}
