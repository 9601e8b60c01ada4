import type { ColumnType, Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';

export const contentTables: ModuleTables = {
  migrations: { '0061-content': { up: createContentTables } },
};

// The `contents/` folder of an installation that stores it in the database. Empty if the folder is
// the source of truth. Not part of backups, which read the files.
declare module '../../platform/storage/schema.ts' {
  interface Schema {
    /** Always one row. */
    content_state: {
      id: number;
      /** Incremented with each change. */
      generation: number;
      changed_at: string;
    };
    content_files: {
      /** Relative to `contents/`, such as `apps/chat.json`. */
      path: string;
      sha256: string;
      executable: number;
    };
    /** File contents, deduplicated by hash. */
    content_blobs: {
      sha256: string;
      /** The driver binds bytes and returns a buffer. */
      bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
    };
  }
}

const statements = [
  `create table content_state (
    id integer primary key,
    generation integer not null,
    changed_at text not null
  )`,
  `create table content_files (
    path text primary key,
    sha256 text not null,
    executable integer not null
  )`,
  'create index content_files_by_content on content_files (sha256)',
  `create table content_blobs (
    sha256 text primary key,
    bytes blob not null
  )`,
];

async function createContentTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
