import { type Kysely, type Migration, sql } from 'kysely';
import { createAnalytics } from './migrations/create-analytics.ts';
import { createApiKeyTable } from './migrations/create-api-keys.ts';
import { createConnections } from './migrations/create-connections.ts';
import { createFiles } from './migrations/create-files.ts';
import { createFolders } from './migrations/create-folders.ts';
import { createIdentities } from './migrations/create-identities.ts';
import { createImports } from './migrations/create-imports.ts';
import { createInvitations } from './migrations/create-invitations.ts';
import { createLines } from './migrations/create-lines.ts';
import { createMcpTools } from './migrations/create-mcp-tools.ts';
import { createNodes } from './migrations/create-nodes.ts';
import {
  addAppAnswers,
  addFavourites,
  createPreferences,
} from './migrations/create-preferences.ts';
import { createRecords } from './migrations/create-records.ts';
import { createSecondFactors } from './migrations/create-second-factors.ts';
import { createServiceKeyTables } from './migrations/create-service-keys.ts';
import { createSharedContents } from './migrations/create-shared-contents.ts';
import { createShares } from './migrations/create-shares.ts';
import { createToolFiles } from './migrations/create-tool-files.ts';
import { createTools } from './migrations/create-tools.ts';
import { createTraces } from './migrations/create-traces.ts';
import { createUserPrompts } from './migrations/create-user-prompts.ts';
import {
  activationArguments,
  conversations,
  signIn,
  skillHistory,
  skillsOff,
  users,
} from './migrations/first-tables.ts';
import { indexLater } from './migrations/index-later.ts';
import { keepAssignments } from './migrations/keep-assignments.ts';
import { linesBeside } from './migrations/lines-beside.ts';
import { nameBackends } from './migrations/name-backends.ts';
import { nameCreators } from './migrations/name-creators.ts';
import { nameSessionOrigins } from './migrations/name-session-origins.ts';
import { notesInOrder } from './migrations/notes-in-order.ts';
import { pinnedAndArchived } from './migrations/pinned-and-archived.ts';
import { searchLines } from './migrations/search-lines.ts';
import { createSearchTables } from './migrations/search-tables.ts';

/** All migrations, oldest first. Applied ones are never edited. */
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
  '0028-favourites': { up: addFavourites },
  '0031-folders': { up: createFolders },
  '0034-shares': { up: createShares },
  '0035-imports': { up: createImports },
  '0037-preferences': { up: createPreferences },
  '0038-app-answers': { up: addAppAnswers },
  '0039-user-prompts': { up: createUserPrompts },
  '0043-lines-beside': { up: linesBeside },
  '0045-identities': { up: createIdentities },
  '0047-second-factors': { up: createSecondFactors },
  '0048-service-keys': { up: createServiceKeyTables },
  '0049-invitations': { up: createInvitations },
  '0052-session-origins': { up: nameSessionOrigins },
  '0053-search-lines': { up: searchLines },
  '0054-nodes': { up: createNodes },
  '0055-shared-contents': { up: createSharedContents },
  '0056-node-backends': { up: nameBackends },
  '0058-skill-assignments': { up: keepAssignments },
  '0059-creators': { up: nameCreators },
};

/** The current schema version: the name of the last migration. */
export const newestMigration = Object.keys(migrations).at(-1) ?? '';

async function namedSkills(database: Kysely<never>): Promise<void> {
  await database.schema.alterTable('messages').addColumn('named', 'text').execute();
  await sql`create index activations_not_ended on activations (conversation_id) where ended_at is null`.execute(
    database,
  );
}

/** The initial ranking of skills in a conversation, and embeddings of skills. */
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

/** State that nodes of an installation share, formerly files in the data folder. */
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

/** Results of models for the test prompts of a skill. */
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

/** Encrypted secret settings of skills. */
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
