import type { Kysely } from 'kysely';

/** Tools offered in a conversation, approvals, and pending questions. */
export async function createTools({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('conversations').addColumn('tools', 'text').execute();
  await schema
    .createTable('tool_consents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', (column) =>
      column.references('conversations.id').onDelete('cascade'),
    )
    .addColumn('tool', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('tool_consents_by_user')
    .on('tool_consents')
    .columns(['user_id', 'tool'])
    .execute();
  await schema
    .createIndex('tool_consents_by_conversation')
    .on('tool_consents')
    .columns(['conversation_id', 'tool'])
    .execute();
  await schema
    .createTable('tool_questions')
    .addColumn('conversation_id', 'text', (column) =>
      column.notNull().references('conversations.id').onDelete('cascade'),
    )
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('tool_questions_key', ['conversation_id', 'id'])
    .execute();
}
