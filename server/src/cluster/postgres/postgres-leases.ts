import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inList } from '../../storage/in-list.ts';
import type { Database } from '../../storage/open-database.ts';
import type { NodeConnection } from '../../storage/postgres/node-connection.ts';
import type { Cluster, Lease } from '../cluster.ts';
import { now, nowText } from './database-clock.ts';
import { isOver } from './dead-nodes.ts';

interface PostgresLeases extends Pick<Cluster, 'lease' | 'holder'> {
  /** Holds on to what this node has; tells the holders of what is another's by now. */
  renew(connection: Pick<NodeConnection, 'query'>): Promise<void>;
  releaseAll(): Promise<void>;
}

interface Options {
  database: Database;
  /** Id of this node. */
  node: string;
  /** How long one lasts that is not renewed. */
  leaseMs: number;
}

/**
 * A lease is a row. One that is over stays its node's until another takes it: whether it is lost, the database says, and
 * nobody's clock.
 */
export function postgresLeases({ database, node, leaseMs }: Options): PostgresLeases {
  /** By id. */
  const own = new Map<string, AbortController>();
  /** Ids of released leases whose rows could not be deleted: the next renewal deletes them. */
  const undeleted = new Set<string>();
  const until = sql<number>`${now} + ${leaseMs}::bigint`;

  const hold = (id: string): Lease => {
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
    const taken = await database
      .insertInto('leases')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row).where(isOver(leaseMs)))
      .returning('id')
      .executeTakeFirst();
    return taken && hold(id);
  };
  return {
    lease,
    holder: async (name) => {
      const row = await database
        .selectFrom('leases')
        .select('data')
        .where('name', '=', name)
        .where(({ not }) => not(isOver(leaseMs)))
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
      const still = new Set(rows.map(({ id }) => id));
      for (const id of before.filter((each) => !still.has(each))) {
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
