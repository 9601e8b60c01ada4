import { type Kysely, sql } from 'kysely';

/** Runs SQL statements without parameters, in order. */
export async function runStatements(
  database: Kysely<never>,
  statements: readonly string[],
): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
