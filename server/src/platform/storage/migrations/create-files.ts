import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';

/**
 * Files of conversations: created by tools, or uploaded by users, even before they are sent.
 * Contents are deduplicated by SHA-256, and stored in parts, so that no statement blocks others for
 * long. A content is deleted with the last file that refers to it.
 */
export async function createFiles(database: Kysely<never>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text')
    .addColumn('conversation_id', 'text', (column) =>
      column.references('conversations.id').onDelete('cascade'),
    )
    .addColumn('message_id', 'text', (column) =>
      column.references('messages.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('text', 'text')
    .addColumn('details', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  for (const columns of [['conversation_id', 'id'], ['message_id'], ['sha256'], ['text']]) {
    await schema
      .createIndex(`files_by_${columns[0]}`)
      .on('files')
      .columns(columns as never)
      .execute();
  }
  await sql`create index files_not_sent on files (owner, id) where message_id is null`.execute(
    database,
  );
  await schema
    .createTable('file_contents')
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('file_contents_key', ['sha256', 'part'])
    .execute();
  if (!isPostgres(database)) {
    await migrateToolFiles(database);
    await addTriggers(database);
  }
  await schema.dropTable('tool_file_parts').execute();
  await schema.dropTable('tool_files').execute();
}

async function addTriggers(database: Kysely<never>): Promise<void> {
  for (const column of ['sha256', 'text']) {
    await sql
      .raw(
        `create trigger file_${column}_gone after delete on files
         when old.${column} is not null
           and not exists (select 1 from files where sha256 = old.${column})
           and not exists (select 1 from files where text = old.${column})
         begin delete from file_contents where sha256 = old.${column}; end`,
      )
      .execute(database);
  }
}

/** Migrates existing files of tools. */
async function migrateToolFiles(database: Kysely<never>): Promise<void> {
  const now = new Date().toISOString();
  await sql`insert into files (id, conversation_id, message_id, name, type, size, sha256, created_at)
    select id, conversation_id, message_id, name, type, size, sha256, ${now} from tool_files`.execute(
    database,
  );
  await sql`insert or ignore into file_contents (sha256, part, bytes)
    select sha256, part, bytes from tool_file_parts join tool_files on tool_files.id = file_id`.execute(
    database,
  );
}
