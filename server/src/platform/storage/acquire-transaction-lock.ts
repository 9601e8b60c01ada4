import { type Kysely, sql } from 'kysely';
import { isPostgres } from './is-postgres.ts';

/**
 * Serializes transactions that read and then write: those with the same name run one after the
 * other. SQLite serializes all write transactions anyway.
 */
export async function acquireTransactionLock<Tables>(
  write: Kysely<Tables>,
  name: string,
): Promise<void> {
  if (isPostgres(write)) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(write);
  }
}
