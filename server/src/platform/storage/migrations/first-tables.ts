import type { Kysely } from 'kysely';

export async function users({ schema }: Kysely<never>): Promise<void> {
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

export async function conversations({ schema }: Kysely<never>): Promise<void> {
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

export async function activationArguments({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('activations').addColumn('arguments', 'text').execute();
}

export async function skillHistory({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('skill_revisions')
    .addColumn('skill', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('user_name', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('checksum', 'text')
    .addColumn('files', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('skill_revisions_key', ['skill', 'number'])
    .execute();
  await schema
    .createTable('audit')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute();
  await schema
    .createIndex('audit_by_target')
    .on('audit')
    .columns(['kind', 'target', 'id'])
    .execute();
}

/** Columns are nullable, because an older version may be running at the same time. */
export async function signIn({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('sessions').addColumn('created_at', 'text').execute();
  await schema.alterTable('sessions').addColumn('last_used_at', 'text').execute();
  await schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
  await schema
    .createTable('made_passwords')
    .addColumn('user_id', 'text', (column) =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text')
    .execute();
  await schema.createIndex('audit_by_kind').on('audit').columns(['kind', 'id']).execute();
}

export async function skillsOff({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('conversations').addColumn('skills_off', 'text').execute();
}
