import type { Database } from '../../../platform/storage/open-database.ts';

export interface ListedImport {
  id: string;
  createdAt: string;
  /** Number of its conversations that still exist. */
  conversations: number;
}

const maxListed = 20;

/** The owner's imports with remaining conversations, newest first. */
export function listImports(database: Database, owner: string): Promise<ListedImport[]> {
  return database
    .selectFrom('imports')
    .innerJoin('imported', 'imported.import_id', 'imports.id')
    .innerJoin('conversations', 'conversations.id', 'imported.conversation_id')
    .select(({ fn }) => [
      'imports.id',
      'imports.created_at as createdAt',
      fn.countAll<number>().as('conversations'),
    ])
    .where('imports.owner', '=', owner)
    .where('conversations.owner', '=', owner)
    .groupBy(['imports.id', 'imports.created_at'])
    .orderBy('imports.created_at', 'desc')
    .limit(maxListed)
    .execute();
}
