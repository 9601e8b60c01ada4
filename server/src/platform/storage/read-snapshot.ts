import { sql } from 'kysely';
import { isPostgres } from './is-postgres.ts';
import type { Database } from './open-database.ts';

/** A read-only snapshot of the database. */
export interface ReadSnapshot {
  database: Database;
  end(): Promise<void>;
}

/** A long read waits for others, such as a slow client. */
const idleMs = 600_000;

/**
 * Opens a snapshot. On PostgreSQL it blocks no one. On SQLite it blocks the rest of this process,
 * so use it only with a dedicated connection.
 */
export async function openReadSnapshot(database: Database): Promise<ReadSnapshot> {
  if (!isPostgres(database)) {
    const moment = await database.startTransaction().execute();
    return { database: moment, end: () => moment.rollback().execute() };
  }
  const moment = await database
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  await sql`select set_config('idle_in_transaction_session_timeout', ${String(idleMs)}, true)`.execute(
    moment,
  );
  return { database: moment, end: () => moment.rollback().execute() };
}

/**
 * A snapshot while others use the database. On SQLite there is no isolation: it shows the state at
 * each read.
 */
export async function openSharedSnapshot(database: Database): Promise<ReadSnapshot> {
  return database.isTransaction || !isPostgres(database)
    ? { database, end: async () => undefined }
    : openReadSnapshot(database);
}
