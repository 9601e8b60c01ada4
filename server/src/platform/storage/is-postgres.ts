import { type Kysely, PostgresAdapter } from 'kysely';

/** Whether the database is PostgreSQL; otherwise it is SQLite. */
export function isPostgres<Tables>(database: Kysely<Tables>): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}
