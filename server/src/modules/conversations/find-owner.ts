import { branchOwner } from '../../platform/storage/branch-owner.ts';
import type { Database } from '../../platform/storage/open-database.ts';

/** Owner of a conversation; for an archived branch, that of its main conversation. Empty if there is none. */
export async function findOwner(
  database: Database,
  { owner, conversation_id }: { owner: string; conversation_id: string },
): Promise<string> {
  if (owner !== branchOwner) {
    return owner;
  }
  const parent = await database
    .selectFrom('lines')
    .innerJoin('conversations', 'conversations.id', 'lines.conversation_id')
    .select(['conversations.owner', 'lines.conversation_id'])
    .where('lines.id', '=', conversation_id)
    .executeTakeFirst();
  return parent ? findOwner(database, parent) : '';
}
