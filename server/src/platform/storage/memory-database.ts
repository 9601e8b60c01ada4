import { Kysely, Migrator, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import type { Migrations } from './module-tables.ts';
import type { Database } from './open-database.ts';
import type { Schema } from './schema.ts';

const pageBytes = 4096;

/**
 * An in-memory database with our tables, opened on first use. It has no search index.
 *
 * @param maxBytes maximum size in bytes: writes beyond it fail
 */
export function openMemoryDatabase(maxBytes: number, migrations: Migrations): Database {
  const open = async () => {
    const sqlite = new Libsql(':memory:');
    sqlite.exec(`PRAGMA page_size=${pageBytes}; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON;
      PRAGMA max_page_count=${Math.floor(maxBytes / pageBytes)};`);
    const database = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
    const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
    const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
    if (error) {
      throw error;
    }
    await sql`insert into search_paused values ('')`.execute(database);
    return sqlite;
  };
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: open }) });
}

/** Size of its rows, in bytes. */
export async function usedBytes(database: Database): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select page_count - freelist_count as pages
    from pragma_page_count, pragma_freelist_count`.execute(database);
  return (rows[0]?.pages ?? 0) * pageBytes;
}
