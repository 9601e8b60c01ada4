import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { ignore } from '../../lib/ignore.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../storage/open-database.ts';
import { type NodeConnection, openNodeConnection } from '../../storage/postgres/node-connection.ts';
import type { Cluster } from '../cluster.ts';
import { now, nowText } from './database-clock.ts';
import { cutOffHanging, ownBackendText } from './dead-nodes.ts';
import { postgresCounts } from './postgres-counts.ts';
import { postgresLeases } from './postgres-leases.ts';
import { postgresLimiter } from './postgres-limiter.ts';
import { postgresLocks } from './postgres-locks.ts';
import { postgresSchedule } from './postgres-schedule.ts';
import { postgresSlots } from './postgres-slots.ts';
import { channel, postgresTopics } from './postgres-topics.ts';

/** The cluster of all processes on one PostgreSQL, as this one of them, a node, sees it. */
export interface PostgresCluster extends Cluster {
  /** Lets go of all that this node has. */
  close(): Promise<void>;
}

interface Options {
  database: Database;
  /** Of the same, for a connection of the node's own. */
  url: string;
  /** Of the application. */
  version: string;
  log: Log;
  /** How long a lease lasts that its node does not renew, as when it hangs or dies. */
  leaseMs?: number;
}

const usualLeaseMs = 10_000;

export async function openPostgresCluster(options: Options): Promise<PostgresCluster> {
  const { database, url, log, leaseMs = usualLeaseMs } = options;
  const node = randomUUID();
  const topics = postgresTopics(database, node);
  const onBack = async () => {
    log.warn('the connection of this node to the database is back');
    await locks.takeAgain();
    await beat();
    topics.missed();
  };
  const connection = await openNodeConnection(url, {
    ...{ channel, onMessage: topics.take },
    onBack: () => {
      onBack().catch((error: unknown) => log.warn({ error }, 'it broke again'));
    },
  });
  const locks = postgresLocks(connection);
  const leases = postgresLeases({ database, node, leaseMs });
  const beat = async () => {
    await seen(connection, node, options.version);
    await leases.renew(connection);
    // Where that is not allowed, they end by themselves.
    await cutOffHanging(database, leaseMs).catch(() => undefined);
  };
  await beat();
  const beating = setInterval(() => {
    beat().catch(ignore);
  }, leaseMs / 4);
  beating.unref();
  const oneNode = postgresSchedule({ database, lease: leases.lease, log });
  const sweeping = oneNode('sweep', '*/10 * * * *', () => sweep(database));
  return {
    ...{ publish: topics.publish, subscribe: topics.subscribe, withLock: locks.withLock },
    ...{ lease: leases.lease, holder: leases.holder, oneNode },
    atStart: (name, work) => locks.withLockPatiently(`start ${name}`, work),
    limiter: (name, seconds) => postgresLimiter(database, name, seconds),
    leakyCounts: (name, perMinute) => postgresCounts(database, name, perMinute),
    slots: (name) => postgresSlots({ database, leaseMs, lease: leases.lease }, name),
    close: async () => {
      clearInterval(beating);
      sweeping.stop();
      await leases.releaseAll().catch(() => undefined);
      await database
        .deleteFrom('nodes')
        .where('id', '=', node)
        .execute()
        .catch(() => undefined);
      await connection.close();
    },
  };
}

async function seen(connection: NodeConnection, id: string, version: string): Promise<void> {
  await connection.query(
    `insert into nodes (id, name, version, started, seen, backend)
    values ($1, $2, $3, ${nowText}, ${nowText}, ${ownBackendText})
    on conflict (id) do update set seen = excluded.seen, backend = excluded.backend`,
    [id, `${hostname()} ${process.pid}`, version],
  );
}

const dayMs = 24 * 3_600_000;

/** Removes what is over, and nodes that died. */
async function sweep(database: Database): Promise<void> {
  const dayAgo = sql<number>`${now} - ${dayMs}::bigint`;
  await database.deleteFrom('window_counts').where('ends', '<=', now).execute();
  await database.deleteFrom('leaky_counts').where('at', '<=', dayAgo).execute();
  await database.deleteFrom('leases').where('until', '<=', dayAgo).execute();
  await database.deleteFrom('nodes').where('seen', '<=', dayAgo).execute();
}
