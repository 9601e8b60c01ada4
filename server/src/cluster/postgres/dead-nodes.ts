import { sql } from 'kysely';
import type { Database } from '../../storage/open-database.ts';
import { now, nowText } from './database-clock.ts';

/** Of a connection, as text for a statement: no other has the same, also where its process has the same number. */
const idText = "pid || ' ' || extract(epoch from backend_start)";

/** The connection that a statement comes by. */
export const ownBackendText = `(select ${idText} from pg_stat_activity where pid = pg_backend_pid())`;

/** Of those that may be a node's: nobody is told when connections of others began. */
const backends = sql.raw(`select ${idText} from pg_stat_activity
  where datname = current_database() and backend_start is not null`);

/**
 * Whether a row of `leases` is nobody's any more: its time is over, or its node has lost its connection and did not come
 * back for half of that time. Nobody could renew while the database was away: after its start they have as long as ever.
 */
export function isOver(leaseMs: number) {
  return sql<boolean>`(
    ${now} - extract(epoch from pg_postmaster_start_time()) * 1000 >= ${leaseMs}
    and (leases.until <= ${now} or exists (
      select 1 from nodes where nodes.id = leases.node and case
        when nodes.seen <= ${now} - ${leaseMs / 2} then nodes.backend <> all(array(${backends}))
        else false
      end
    ))
  )`;
}

/** To be called by who is alone on the database: what others had is nobody's. */
export async function forgetNodes(database: Database): Promise<void> {
  await database.deleteFrom('leases').execute();
  await database.deleteFrom('nodes').execute();
}

/** Closes the connections of nodes that hang: what they have locked is locked no more. */
export async function cutOffHanging(database: Database, leaseMs: number): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and ${sql.raw(idText)} in (
      select backend from nodes where seen <= ${sql.raw(nowText)} - ${leaseMs}
    )`.execute(database);
}
