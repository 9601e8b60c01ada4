import type { Kysely } from 'kysely';
import { runStatements } from '../../../platform/storage/run-statements.ts';

// Snapshots of conversations that others may read: not part of backups, because a restore would
// revive disabled links. Imported conversations and their sources, for deduplication and undo: not
// part of backups either.
declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    shares: {
      id: string;
      /** SHA-256 of the token in the link. */
      hash: string;
      conversation_id: string;
      title: string;
      /** A boolean (0 or 1), as are the next two. */
      files: number;
      details: number;
      public: number;
      /** JSON: what the snapshot omits. */
      without: string;
      messages: number;
      created_at: string;
      shared_at: string;
    };
    share_messages: {
      share_id: string;
      position: number;
      /** JSON: in the form that readers get. */
      content: string;
    };
    share_files: {
      share_id: string;
      /** As in `files`. */
      id: string;
      name: string;
      type: string;
      size: number;
      /** Hash of the content in `file_contents`. */
      sha256: string;
    };
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
}

const statements = [
  `create table shares (
    id text primary key,
    hash text not null unique,
    conversation_id text not null unique references conversations (id) on delete cascade,
    title text not null,
    files integer not null,
    details integer not null,
    public integer not null,
    without text not null,
    messages integer not null,
    created_at text not null,
    shared_at text not null
  )`,
  `create table share_messages (
    share_id text not null references shares (id) on delete cascade,
    position integer not null,
    content text not null,
    primary key (share_id, position)
  )`,
  `create table share_files (
    share_id text not null references shares (id) on delete cascade,
    id text not null,
    name text not null,
    type text not null,
    size integer not null,
    sha256 text not null,
    primary key (share_id, id)
  )`,
  'create index share_files_by_sha256 on share_files (sha256)',
  `create table imports (
    id text primary key,
    owner text not null,
    total integer not null,
    created_at text not null
  )`,
  'create index imports_by_owner on imports (owner, created_at)',
  `create table imported (
    conversation_id text primary key references conversations (id) on delete cascade,
    import_id text not null references imports (id) on delete cascade,
    source text not null
  )`,
  'create index imported_by_import on imported (import_id)',
  'create index imported_by_source on imported (source)',
];

/** Creates the tables of shared and of imported conversations. */
export async function createSharingTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
