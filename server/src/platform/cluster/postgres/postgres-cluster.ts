import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { ignore } from '../../lib/ignore.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../storage/open-database.ts';
import { type NodeConnection, openNodeConnection } from '../../storage/postgres/node-connection.ts';
import type { Cluster } from '../cluster.ts';
import { now, nowText } from './database-clock.ts';
import { ownBackendText, terminateHangingNodes } from './dead-nodes.ts';
import { postgresCounts, postgresLimiter } from './postgres-counts.ts';
import { postgresLeases, postgresSlots } from './postgres-leases.ts';
import { postgresLocks } from './postgres-locks.ts';
import { postgresSchedule } from './postgres-schedule.ts';
import { channel, postgresTopics } from './postgres-topics.ts';

/** The cluster of all processes (nodes) on one PostgreSQL database, as seen by this node. */
export interface PostgresCluster extends Cluster {
  /** Releases everything that this node holds. */
  close(): Promise<void>;
}

interface Options {
  database: Database;
  /** URL of the same database, for the node's own connection. */
  url: string;
  /** Version of the application. */
  version: string;
  log: Log;
  /** Lease time without renewal, e.g. if a node hangs or dies. */
  leaseMs?: number;
}

const defaultLeaseMs = 10_000;

export async function openPostgresCluster(options: Options): Promise<PostgresCluster> {
  const { database, url, log, leaseMs = defaultLeaseMs } = options;
  const node = randomUUID();
  const topics = postgresTopics(database, node);
  let isListening = true;
  const handleReconnect = async () => {
    log.warn('this node has reconnected to the database');
    await locks.takeAgain();
    await heartbeat();
    topics.missed();
    isListening = true;
  };
  const connection = await openNodeConnection(url, {
    channel,
    onMessage: topics.take,
    onLost: () => {
      isListening = false;
    },
    onBack: () => {
      handleReconnect().catch((error: unknown) =>
        log.warn({ error }, 'restoring the cluster state after a reconnect failed'),
      );
    },
  });
  const locks = postgresLocks(connection);
  const leases = postgresLeases({ database, node, leaseMs });
  const heartbeat = async () => {
    await recordNode(connection, node, options.version);
    await leases.renew(connection);
    // Best effort: without the privilege, hanging connections end on their own.
    await terminateHangingNodes(database, leaseMs).catch(() => undefined);
  };
  await heartbeat();
  const timer = setInterval(() => {
    heartbeat().catch(ignore);
  }, leaseMs / 4);
  timer.unref();
  const oneNode = postgresSchedule({ database, lease: leases.lease, log });
  const sweepJob = oneNode('sweep', '*/10 * * * *', () => sweep(database));
  return {
    publish: topics.publish,
    subscribe: topics.subscribe,
    withLock: locks.withLock,
    isListening: () => isListening,
    lease: leases.lease,
    holder: leases.holder,
    oneNode,
    atStart: (name, work) => locks.withLockPatiently(`start ${name}`, work),
    limiter: (name, seconds) => postgresLimiter(database, name, seconds),
    leakyCounts: (name, perMinute) => postgresCounts(database, name, perMinute),
    slots: (name) => postgresSlots({ database, leaseMs, lease: leases.lease }, name),
    close: async () => {
      clearInterval(timer);
      sweepJob.stop();
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

async function recordNode(connection: NodeConnection, id: string, version: string): Promise<void> {
  await connection.query(
    `insert into nodes (id, name, version, started, seen, backend)
    values ($1, $2, $3, ${nowText}, ${nowText}, ${ownBackendText})
    on conflict (id) do update set seen = excluded.seen, backend = excluded.backend`,
    [id, `${hostname()} ${process.pid}`, version],
  );
}

const dayMs = 24 * 3_600_000;

/** Removes expired rows and dead nodes. */
async function sweep(database: Database): Promise<void> {
  const dayAgo = sql<number>`${now} - ${dayMs}::bigint`;
  await database.deleteFrom('window_counts').where('ends', '<=', now).execute();
  await database.deleteFrom('leaky_counts').where('at', '<=', dayAgo).execute();
  await database.deleteFrom('leases').where('until', '<=', dayAgo).execute();
  await database.deleteFrom('nodes').where('seen', '<=', dayAgo).execute();
}
