import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inList } from '../../storage/in-list.ts';
import type { Database } from '../../storage/open-database.ts';
import type { NodeConnection } from '../../storage/postgres/node-connection.ts';
import type { Cluster, Lease, Slot, Slots } from '../cluster.ts';
import { now, nowText } from './database-clock.ts';
import { isExpiredLease } from './dead-nodes.ts';

interface PostgresLeases extends Pick<Cluster, 'lease' | 'holder'> {
  /** Renews this node's leases and signals lost ones to their holders. */
  renew(connection: Pick<NodeConnection, 'query'>): Promise<void>;
  releaseAll(): Promise<void>;
}

interface Options {
  database: Database;
  /** ID of this node. */
  node: string;
  /** Lease time without renewal. */
  leaseMs: number;
}

/**
 * A lease is a row. An expired one stays with its node until another takes it: only the database decides whether it
 * is lost, never a clock.
 */
export function postgresLeases({ database, node, leaseMs }: Options): PostgresLeases {
  /** Leases of this node by ID. */
  const own = new Map<string, AbortController>();
  /** Ids of released leases whose rows could not be deleted: the next renewal deletes them. */
  const undeleted = new Set<string>();
  const until = sql<number>`${now} + ${leaseMs}::bigint`;

  const createLease = (id: string): Lease => {
    const loss = new AbortController();
    own.set(id, loss);
    const release = async () => {
      if (own.delete(id)) {
        undeleted.add(id);
        await deleteReleased(database, undeleted).catch(() => undefined);
      }
    };
    return { lost: loss.signal, release };
  };
  const lease = async (name: string, data: unknown) => {
    const id = randomUUID();
    const row = { id, node, data: JSON.stringify(data), until };
    const inserted = await database
      .insertInto('leases')
      .values({ name, ...row })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(row).where(isExpiredLease(leaseMs)),
      )
      .returning('id')
      .executeTakeFirst();
    return inserted && createLease(id);
  };
  return {
    lease,
    holder: async (name) => {
      const row = await database
        .selectFrom('leases')
        .select('data')
        .where('name', '=', name)
        .where(({ not }) => not(isExpiredLease(leaseMs)))
        .executeTakeFirst();
      return row && JSON.parse(row.data);
    },
    renew: async (connection) => {
      await deleteReleased(database, undeleted);
      const before = [...own.keys()];
      // By id: a row that was inserted while the connection broke is unknown here, and has to expire.
      const rows = await connection.query<{ id: string }>(
        `update leases set until = ${nowText} + $2 where node = $1 and id = any($3) returning id`,
        [node, leaseMs, before],
      );
      const renewed = new Set(rows.map(({ id }) => id));
      for (const id of before.filter((each) => !renewed.has(each))) {
        own.get(id)?.abort();
        own.delete(id);
      }
    },
    releaseAll: async () => {
      own.clear();
      undeleted.clear();
      await database.deleteFrom('leases').where('node', '=', node).execute();
    },
  };
}

async function deleteReleased(database: Database, undeleted: Set<string>): Promise<void> {
  const ids = [...undeleted];
  if (ids.length === 0) {
    return;
  }
  await database.deleteFrom('leases').where('id', 'in', inList(ids)).execute();
  for (const id of ids) {
    undeleted.delete(id);
  }
}

const unlimited: Slot = { release: async () => undefined };
/**
 * Attempts: among callers that find the same slot free, all but one try again. Each collision leaves fewer free slots, so
 * callers that all fit are served long before.
 */
const maxAttempts = 30;

interface LeaseOptions {
  database: Database;
  lease: Cluster['lease'];
  leaseMs: number;
}

/** A slot is a numbered lease, so it is released if its node dies. */
export function postgresSlots({ database, lease, leaseMs }: LeaseOptions, name: string): Slots {
  return {
    take: async (key, most) => {
      if (!Number.isFinite(most)) {
        return unlimited;
      }
      const prefix = `slot ${name} ${key} `;
      for (let remaining = maxAttempts; remaining > 0; remaining -= 1) {
        const free = await findFree(database, { prefix, most, leaseMs });
        const taken = free === undefined ? undefined : await lease(free, {});
        if (taken || free === undefined) {
          return taken;
        }
      }
      return undefined;
    },
  };
}

async function findFree(
  database: Database,
  { prefix, most, leaseMs }: { prefix: string; most: number; leaseMs: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select ${prefix} || number as name from generate_series(1, ${most}::bigint) number
    where not exists (
      select 1 from leases where name = ${prefix} || number and not ${isExpiredLease(leaseMs)}
    ) and (
      select count(*) from leases where starts_with(name, ${prefix}) and not ${isExpiredLease(leaseMs)}
    ) < ${most}::bigint order by random() limit 1`.execute(database);
  return rows[0]?.name;
}
