import { lineOwner } from '../storage/migrations/create-lines.ts';
import type { Database } from '../storage/open-database.ts';

/** Whose a conversation is; of a line that is put away, whose that is which the line belongs to. Empty for nobody. */
export async function ownerOf(
  database: Database,
  { owner, conversation_id }: { owner: string; conversation_id: string },
): Promise<string> {
  if (owner !== lineOwner) {
    return owner;
  }
  const whole = await database
    .selectFrom('lines')
    .innerJoin('conversations', 'conversations.id', 'lines.conversation_id')
    .select(['conversations.owner', 'lines.conversation_id'])
    .where('lines.id', '=', conversation_id)
    .executeTakeFirst();
  return whole ? ownerOf(database, whole) : '';
}
