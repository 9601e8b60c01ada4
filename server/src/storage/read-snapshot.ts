import { sql } from 'kysely';
import { isPostgres } from './is-postgres.ts';
import type { Database } from './open-database.ts';

/** A database as it was at one moment, until it is ended; it is only read. */
export interface ReadSnapshot {
  database: Database;
  end(): Promise<void>;
}

/** Who reads for long waits for others, such as a slow network. */
const idleMs = 600_000;

/**
 * Holds off nobody on PostgreSQL. On SQLite all else of this process would wait for it: there only what opened the
 * database for itself asks for it.
 */
export async function openMoment(database: Database): Promise<ReadSnapshot> {
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

/** The same where others are at work in this process: of SQLite what it is like as it is read. */
export async function openSharedSnapshot(database: Database): Promise<ReadSnapshot> {
  return database.isTransaction || !isPostgres(database)
    ? { database, end: async () => undefined }
    : openMoment(database);
}
