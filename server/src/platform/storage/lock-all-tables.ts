import { type Kysely, sql } from 'kysely';
import { inList } from './in-list.ts';
import { isPostgres } from './is-postgres.ts';
import { nodeTables } from './node-tables.ts';

/**
 * Blocks all writes of others until this transaction ends, however long it takes, except to the
 * tables that nodes coordinate with. Reads continue. SQLite serializes write transactions anyway.
 */
export async function lockAllTablesForWrite<Tables>(write: Kysely<Tables>): Promise<void> {
  if (!isPostgres(write)) {
    return;
  }
  const { rows } = await sql<{ names: string }>`
    select string_agg(format('%I', table_name), ', ' order by table_name) as names
    from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and not table_name in ${inList(nodeTables)}`.execute(write);
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(write);
  await sql`lock table ${sql.raw(rows[0]?.names ?? '')} in share row exclusive mode`.execute(write);
}
