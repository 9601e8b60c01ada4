import type { Feedback } from '@knowhow/shared/conversations';
import type { Database } from '../storage/open-database.ts';

/** Stores what somebody thinks of an answer; null takes it back. False when it is not one of theirs. */
export async function giveFeedback(
  database: Database,
  owner: string,
  { messageId, feedback }: { messageId: string; feedback: Feedback | null },
): Promise<boolean> {
  const own = database.selectFrom('conversations').select('id').where('owner', '=', owner);
  const { numUpdatedRows } = await database
    .updateTable('messages')
    .set({ feedback: feedback && JSON.stringify(feedback) })
    .where('id', '=', messageId)
    .where('role', '=', 'assistant')
    .where('conversation_id', 'in', own)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
