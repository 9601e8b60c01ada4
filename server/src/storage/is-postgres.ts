import { type Kysely, PostgresAdapter } from 'kysely';

/** Whether it is PostgreSQL's; else it is SQLite's. */
export function isPostgres<Tables>(database: Kysely<Tables>): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}
