import { sql } from 'kysely';
import type { Database } from '../../storage/open-database.ts';
import { now, nowText } from './database-clock.ts';

/** Identifies a connection, as SQL text; unique even if the process ID is reused. */
const idText = "pid || ' ' || extract(epoch from backend_start)";

/** Identifies the connection that executes the statement. */
export const ownBackendText = `(select ${idText} from pg_stat_activity where pid = pg_backend_pid())`;

/** Connections that may belong to nodes. PostgreSQL hides the start time of other users' connections. */
const backends = sql.raw(`select ${idText} from pg_stat_activity
  where datname = current_database() and backend_start is not null`);

/**
 * SQL condition: a row of `leases` is free. Either it has expired, or its node lost its connection and has not
 * reconnected for half of the lease time. Nodes could not renew while the database was down, so they get the full
 * lease time after its start.
 */
export function isExpiredLease(leaseMs: number) {
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

/** Removes all leases and nodes. Requires exclusive access to the database. */
export async function forgetNodes(database: Database): Promise<void> {
  await database.deleteFrom('leases').execute();
  await database.deleteFrom('nodes').execute();
}

/** Terminates the connections of hanging nodes, which releases their locks. */
export async function terminateHangingNodes(database: Database, leaseMs: number): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and ${sql.raw(idText)} in (
      select backend from nodes where seen <= ${sql.raw(nowText)} - ${leaseMs}
    )`.execute(database);
}
