import { type Kysely, sql } from 'kysely';

/** The folder of a conversation, by name; null for none. */
export async function createFolders(database: Kysely<never>): Promise<void> {
  await database.schema.alterTable('conversations').addColumn('folder', 'text').execute();
  await sql`create index conversations_in_folders on conversations (owner, folder)
    where folder is not null`.execute(database);
}
