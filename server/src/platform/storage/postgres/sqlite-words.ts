import { type Kysely, sql } from 'kysely';

const statements = [
  // The tables use SQLite's name for the type.
  'create domain blob as bytea',
  // Returns a row for each value of a JSON array, as text.
  `create function json_each(list text) returns table (value text) language sql immutable rows 20
    as $$ select json_array_elements_text(list::json) $$`,
];

/** Defines the SQLite words that our tables and queries use. Runs before all other migrations. */
export async function addSqliteWords(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
