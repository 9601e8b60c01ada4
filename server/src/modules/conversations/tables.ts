import type { Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';
import { conversationBackup } from './tables/conversation-backup.ts';
import { createMessageTables } from './tables/conversation-tables.ts';
import { createFileTables } from './tables/file-tables.ts';
import { createSharingTables } from './tables/sharing-tables.ts';

export const conversationTables: ModuleTables = {
  migrations: {
    '0064-conversations': { up: createConversationTables },
    '0069-conversations-comparisons': { up: nameComparisons },
    '0073-conversations-versions': { up: addVersions },
  },
  backup: conversationBackup,
};

async function createConversationTables(database: Kysely<never>): Promise<void> {
  await createMessageTables(database);
  await createSharingTables(database);
  await createFileTables(database);
}

async function nameComparisons(database: Kysely<never>): Promise<void> {
  await runStatements(database, ['alter table lines rename column beside to is_comparison']);
}

async function addVersions(database: Kysely<never>): Promise<void> {
  await runStatements(database, [
    'alter table activations add column version_number integer',
    'alter table activations add column version_digest text',
  ]);
}
