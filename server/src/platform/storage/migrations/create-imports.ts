import { type Kysely, sql } from 'kysely';

/** Imported conversations and their sources, for deduplication and undo. Not part of backups. */
export interface ImportTables {
  imports: {
    /** Chosen by the client. */
    id: string;
    owner: string;
    /** Number of conversations in the import. */
    total: number;
    created_at: string;
  };
  imported: {
    conversation_id: string;
    import_id: string;
    /** The source product and its id of the conversation. */
    source: string;
  };
}

const statements = [
  `create table imports (
    id text primary key,
    owner text not null,
    total integer not null,
    created_at text not null
  )`,
  `create table imported (
    conversation_id text primary key references conversations (id) on delete cascade,
    import_id text not null references imports (id) on delete cascade,
    source text not null
  )`,
  'create index imported_by_import on imported (import_id)',
  'create index imported_by_source on imported (source)',
  'create index imports_by_owner on imports (owner, created_at)',
];

export async function createImports(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
