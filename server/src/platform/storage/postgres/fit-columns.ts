import { type Kysely, sql } from 'kysely';

/**
 * Adapts columns from migrations to SQLite's semantics: texts compare by code point, whatever the
 * locale of the database, and numbers have 64 bits.
 */
export async function fitColumns<Tables>(database: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ change: string }>`
    select format('alter table %I %s', table_name, string_agg(format(
      'alter column %I type %s', column_name, case data_type
        when 'integer' then 'bigint' when 'real' then 'double precision' else 'text collate "C"' end
    ), ', ')) as change
    from information_schema.columns
    where table_schema = current_schema() and is_identity = 'NO' and (
      data_type in ('integer', 'real') or (data_type = 'text' and collation_name is null)
    )
    group by table_name`.execute(database);
  for (const { change } of rows) {
    await sql.raw(change).execute(database);
  }
}
