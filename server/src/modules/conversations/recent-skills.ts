import type { Database } from '../../platform/storage/open-database.ts';

/** Number of recent conversations searched; limits the cost. */
const maxConversations = 50;

/**
 * Names of the skills used in the owner's latest conversations, most recent first. Skills that an app activates
 * automatically are excluded.
 */
export async function recentSkills(database: Database, owner: string): Promise<string[]> {
  const newest = database
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', owner)
    .orderBy('updated_at', 'desc')
    .limit(maxConversations);
  const rows = await database
    .selectFrom('activations')
    .select('name')
    .where('conversation_id', 'in', newest)
    .where('via', '!=', 'app')
    .groupBy('name')
    .orderBy(({ fn }) => fn.max('created_at'), 'desc')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
