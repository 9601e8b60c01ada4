import { type Kysely, type Migration, sql } from 'kysely';
import { createAnalytics } from './create-analytics.ts';
import { createApiKeyTable } from './create-api-keys.ts';
import { createConnections } from './create-connections.ts';
import { createFiles } from './create-files.ts';
import { createLines } from './create-lines.ts';
import { createMcpTools } from './create-mcp-tools.ts';
import { createPreferences } from './create-preferences.ts';
import { createRecords } from './create-records.ts';
import { createShares } from './create-shares.ts';
import { createToolFiles } from './create-tool-files.ts';
import { createTools } from './create-tools.ts';
import { createTraces } from './create-traces.ts';
import { indexLater } from './index-later.ts';
import { notesInOrder } from './notes-in-order.ts';
import { pinnedAndArchived } from './pinned-and-archived.ts';
import { createSearchTables } from './search-tables.ts';

/** Every change of the tables, oldest first. Applied ones are never edited. */
export const migrations: Record<string, Migration> = {
  '0001-users': { up: users },
  '0002-conversations': { up: conversations },
  '0003-activation-arguments': { up: activationArguments },
  '0004-skill-history': { up: skillHistory },
  '0005-conversation-search': { up: createSearchTables },
  '0006-sign-in': { up: signIn },
  '0007-skills-off': { up: skillsOff },
  '0008-index-later': { up: indexLater },
  '0009-shared-state': { up: sharedState },
  '0010-records': { up: createRecords },
  '0011-notes-in-order': { up: notesInOrder },
  '0012-named-skills': { up: namedSkills },
  '0013-traces': { up: createTraces },
  '0014-analytics': { up: createAnalytics },
  '0015-trigger-runs': { up: triggerRuns },
  '0017-rankings': { up: rankings },
  '0018-tools': { up: createTools },
  '0019-tool-files': { up: createToolFiles },
  '0020-mcp-tools': { up: createMcpTools },
  '0021-connections': { up: createConnections },
  '0022-skill-secrets': { up: skillSecrets },
  '0023-api-keys': { up: createApiKeyTable },
  '0024-files': { up: createFiles },
  '0026-pinned-and-archived': { up: pinnedAndArchived },
  '0027-lines': { up: createLines },
  '0028-favourites': { up: favourites },
  '0034-shares': { up: createShares },
  '0037-preferences': { up: createPreferences },
};

/** What the tables are like now, by the name of their last change. */
export const newestMigration = Object.keys(migrations).at(-1) ?? '';

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

async function skillHistory({ schema }: Kysely<never>): Promise<void> {
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

/** Columns may be empty: an older version that runs beside this one does not know them. */
async function signIn({ schema }: Kysely<never>): Promise<void> {
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

async function skillsOff({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('conversations').addColumn('skills_off', 'text').execute();
}

async function namedSkills(database: Kysely<never>): Promise<void> {
  await database.schema.alterTable('messages').addColumn('named', 'text').execute();
  await sql`create index activations_not_ended on activations (conversation_id) where ended_at is null`.execute(
    database,
  );
}

/** How the skills were ranked as a conversation began, and what an embedder has said of skills. */
async function rankings({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('conversations').addColumn('ranked', 'text').execute();
  await schema
    .createTable('skill_embeddings')
    .addColumn('embedder', 'text', (column) => column.notNull())
    .addColumn('checksum', 'text', (column) => column.notNull())
    .addColumn('vector', 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('skill_embeddings_key', ['embedder', 'checksum'])
    .execute();
}

/** What servers of one installation share, and what was in files of the data folder before. */
async function sharedState({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('skill_states')
    .addColumn('skill', 'text', (column) => column.notNull())
    .addColumn('checksum', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('parts', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('skill_states_key', ['skill', 'checksum', 'part'])
    .execute();
}

/** What models did with the prompts of a skill. */
async function triggerRuns({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('trigger_runs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('skill', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('head', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('trigger_runs_by_skill')
    .on('trigger_runs')
    .columns(['skill', 'id'])
    .execute();
}

/** Settings of skills that are secret, encrypted. */
async function skillSecrets({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('skill_secrets')
    .addColumn('skill', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('skill_secrets_key', ['skill', 'name'])
    .execute();
}

/** What somebody keeps at hand; empty for an older version that runs beside this one. */
async function favourites({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('users').addColumn('favourites', 'text').execute();
}
