import { Kysely, Migrator, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { migrations } from './migrations.ts';
import type { Database } from './open-database.ts';
import type { Schema } from './schema.ts';

const pageBytes = 4096;

/**
 * A database with the tables of ours that is nowhere on the disk. It is made when it is first used; nothing in it is
 * searched.
 *
 * @param mostBytes what it takes at most: a write for which it has no room fails
 */
export function openMemoryDatabase(mostBytes: number): Database {
  const open = async () => {
    const sqlite = new Libsql(':memory:');
    sqlite.exec(`PRAGMA page_size=${pageBytes}; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON;
      PRAGMA max_page_count=${Math.floor(mostBytes / pageBytes)};`);
    const database = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
    if (error) {
      throw error;
    }
    await sql`insert into search_paused values ('')`.execute(database);
    return sqlite;
  };
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: open }) });
}

/** What its rows take, in bytes. */
export async function usedBytes(database: Database): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select page_count - freelist_count as pages
    from pragma_page_count, pragma_freelist_count`.execute(database);
  return (rows[0]?.pages ?? 0) * pageBytes;
}
