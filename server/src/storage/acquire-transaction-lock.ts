import { type Kysely, sql } from 'kysely';
import { isPostgres } from './is-postgres.ts';

/**
 * Lets transactions that read and then write by what they have read go one after the other: of those that name the
 * same, the next goes on when this one is over. SQLite has one transaction at a time in any case.
 */
export async function acquireTransactionLock<Tables>(
  write: Kysely<Tables>,
  name: string,
): Promise<void> {
  if (isPostgres(write)) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(write);
  }
}
