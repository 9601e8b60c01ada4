import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';
import { contentTriggers } from '../postgres/content-triggers.ts';

/**
 * Snapshots of conversations that others may read. Not part of backups, because a restore would
 * revive disabled links.
 */
export interface ShareTables {
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
}

const isUsed = (key: string) =>
  `exists (select 1 from files where sha256 = ${key})
    or exists (select 1 from files where text = ${key})
    or exists (select 1 from share_files where sha256 = ${key})`;

/** Deletes a content with the last row that refers to it. */
function contentGone(table: string, column: string): string {
  return `create trigger ${table === 'files' ? `file_${column}` : 'share_file'}_gone after delete on ${table}
    when old.${column} is not null and not (${isUsed(`old.${column}`)})
    begin delete from file_contents where sha256 = old.${column}; end`;
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
];

const triggers = [
  'drop trigger file_sha256_gone',
  'drop trigger file_text_gone',
  contentGone('files', 'sha256'),
  contentGone('files', 'text'),
  contentGone('share_files', 'sha256'),
];

export async function createShares(database: Kysely<never>): Promise<void> {
  const own = isPostgres(database) ? contentTriggers : triggers;
  for (const statement of [...statements, ...own]) {
    await sql.raw(statement).execute(database);
  }
}
