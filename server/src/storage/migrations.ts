import type { Kysely, Migration } from 'kysely';

/** Every change of the tables, oldest first. Applied ones are never edited. */
export const migrations: Record<string, Migration> = {
  '0001-users': { up: users },
  '0002-conversations': { up: conversations },
  '0003-activation-arguments': { up: activationArguments },
};

async function users({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('username', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('groups', 'text', (column) => column.notNull())
    .addColumn('disabled', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
}

async function conversations({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('conversations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('app_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('conversations_by_owner')
    .on('conversations')
    .columns(['owner', 'updated_at', 'id'])
    .execute();
  await schema
    .createTable('messages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('conversation_id', 'text', (column) =>
      column.notNull().references('conversations.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('messages_in_order', ['conversation_id', 'position'])
    .execute();
  await schema.createIndex('messages_by_status').on('messages').column('status').execute();
  await schema
    .createTable('activations')
    .addColumn('conversation_id', 'text', (column) =>
      column.notNull().references('conversations.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('via', 'text', (column) => column.notNull())
    .addColumn('tokens', 'integer', (column) => column.notNull())
    .addColumn('checksum', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('activations_key', ['conversation_id', 'name'])
    .execute();
}

async function activationArguments({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('activations').addColumn('arguments', 'text').execute();
}
