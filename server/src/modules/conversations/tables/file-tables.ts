import type { ColumnType, Kysely } from 'kysely';
import { isPostgres } from '../../../platform/storage/is-postgres.ts';
import { runStatements } from '../../../platform/storage/run-statements.ts';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** Files of conversations: created by tools, or uploaded by users, even before they are sent. */
    files: {
      id: string;
      /** The user who uploaded it; null for a file of a tool. */
      owner: string | null;
      /** Null until the message is sent, as is `message_id`. */
      conversation_id: string | null;
      message_id: string | null;
      name: string;
      type: string;
      /** In bytes. */
      size: number;
      /** Hash of the content. */
      sha256: string;
      /**
       * SHA-256 of the extracted text in UTF-8, which is stored like contents. Null for pictures and
       * files of tools.
       */
      text: string | null;
      /** JSON: metadata of an attachment; null for a file of a tool. */
      details: string | null;
      created_at: string;
    };
    /** Contents of files, deduplicated by hash, in parts, so that no statement blocks others for long. */
    file_contents: {
      sha256: string;
      /** From 0; each part except the last has 1 MiB. */
      part: number;
      bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
    };
  }
}

const statements = [
  `create table files (
    id text primary key,
    owner text,
    conversation_id text references conversations (id) on delete cascade,
    message_id text references messages (id) on delete cascade,
    name text not null,
    type text not null,
    size integer not null,
    sha256 text not null,
    text text,
    details text,
    created_at text not null
  )`,
  'create index files_by_conversation_id on files (conversation_id, id)',
  'create index files_by_message_id on files (message_id)',
  'create index files_by_sha256 on files (sha256)',
  'create index files_by_text on files (text)',
  'create index files_not_sent on files (owner, id) where message_id is null',
  `create table file_contents (
    sha256 text not null,
    part integer not null,
    bytes blob not null,
    constraint file_contents_key primary key (sha256, part)
  )`,
];

/** Creates the tables of files. Those of shared files exist already. */
export async function createFileTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
  await runStatements(
    database,
    isPostgres(database) ? postgresContentTriggers : sqliteContentTriggers,
  );
}

// Triggers that delete a content with the last row that refers to it.

const isUsed = (key: string) =>
  `exists (select 1 from files where sha256 = ${key})
    or exists (select 1 from files where text = ${key})
    or exists (select 1 from share_files where sha256 = ${key})`;

function sqliteTrigger(name: string, table: string, column: string): string {
  return `create trigger ${name} after delete on ${table}
    when old.${column} is not null and not (${isUsed(`old.${column}`)})
    begin delete from file_contents where sha256 = old.${column}; end`;
}

const sqliteContentTriggers = [
  sqliteTrigger('file_sha256_gone', 'files', 'sha256'),
  sqliteTrigger('file_text_gone', 'files', 'text'),
  sqliteTrigger('share_file_gone', 'share_files', 'sha256'),
];

/**
 * Checks whether a content is still referenced. A transaction that is about to refer to it holds a
 * lock and is seen after it ends, because each statement of the function sees the state at its
 * start.
 */
function postgresTriggers(table: string, columns: readonly string[]): string[] {
  const keys = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  return [
    `create function ${table}_gone() returns trigger language plpgsql as $$ begin
      perform 1 from file_contents where sha256 in (${keys('old')}) order by part for update;
      delete from file_contents where sha256 in (${keys('old')})
        and not exists (select 1 from files where files.sha256 = file_contents.sha256)
        and not exists (select 1 from files where files.text = file_contents.sha256)
        and not exists (select 1 from share_files where share_files.sha256 = file_contents.sha256);
      return null;
    end $$`,
    `create trigger ${table}_gone after delete on ${table}
      for each row execute function ${table}_gone()`,
    `create function ${table}_comes() returns trigger language plpgsql as $$ begin
      perform 1 from file_contents where sha256 in (${keys('new')}) order by part for share;
      return new;
    end $$`,
    `create trigger ${table}_comes before insert on ${table}
      for each row execute function ${table}_comes()`,
  ];
}

const postgresContentTriggers = [
  ...postgresTriggers('files', ['sha256', 'text']),
  ...postgresTriggers('share_files', ['sha256']),
];
