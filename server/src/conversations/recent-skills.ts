import type { Database } from '../storage/open-database.ts';

/** So many conversations back; what is older is not recent, and each is looked into. */
const conversationsBack = 50;

/**
 * Names of the skills that were used in somebody's newest conversations, the last one first. What an app
 * always uses nobody has chosen.
 */
export async function recentSkills(database: Database, owner: string): Promise<string[]> {
  const newest = database
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', owner)
    .orderBy('updated_at', 'desc')
    .limit(conversationsBack);
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
