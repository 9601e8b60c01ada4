import { type Kysely, sql } from 'kysely';

const statements = [
  // As bytes are called in the tables.
  'create domain blob as bytea',
  // A row for each value of a list in JSON, as a text.
  `create function json_each(list text) returns table (value text) language sql immutable rows 20
    as $$ select json_array_elements_text(list::json) $$`,
];

/** Lets PostgreSQL know what the tables and their users say to SQLite, before all other migrations. */
export async function addSqliteWords(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
