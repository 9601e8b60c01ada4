import type { Kysely } from 'kysely';

/** Files of tools, in parts, so that no statement blocks others for long. */
export async function createToolFiles({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('tool_files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('conversation_id', 'text', (column) =>
      column.notNull().references('conversations.id').onDelete('cascade'),
    )
    .addColumn('message_id', 'text', (column) =>
      column.notNull().references('messages.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('tool_files_by_conversation')
    .on('tool_files')
    .columns(['conversation_id', 'id'])
    .execute();
  await schema.createIndex('tool_files_by_message').on('tool_files').column('message_id').execute();
  await schema
    .createTable('tool_file_parts')
    .addColumn('file_id', 'text', (column) =>
      column.notNull().references('tool_files.id').onDelete('cascade'),
    )
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('tool_file_parts_key', ['file_id', 'part'])
    .execute();
}
