import type { MessageStatus } from '@knowhow/shared/chat/conversations';
import type { Kysely } from 'kysely';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';

/** Marks abandoned answers as interrupted. An answer that finishes concurrently is left alone. */
export async function markInterrupted(
  database: Database,
  isAnswered: (conversationId: string) => Promise<boolean>,
): Promise<void> {
  const unfinished = await database
    .selectFrom('messages')
    .select(['id', 'conversation_id'])
    .where('status', '=', 'running')
    .execute();
  const abandoned: string[] = [];
  for (const { id, conversation_id } of unfinished) {
    if (!(await isAnswered(conversation_id))) {
      abandoned.push(id);
    }
  }
  await database
    .updateTable('messages')
    .set({ status: 'interrupted' satisfies MessageStatus })
    .where('id', 'in', inList(abandoned))
    .where('status', '=', 'running')
    .execute();
}

/**
 * Marks running answers of a conversation as interrupted. Call it once a turn holds the conversation, because no
 * other turn can be writing then.
 */
export async function interruptAnswers(
  write: Kysely<Schema>,
  conversationId: string,
): Promise<void> {
  await write
    .updateTable('messages')
    .set({ status: 'interrupted' satisfies MessageStatus })
    .where('conversation_id', '=', conversationId)
    .where('status', '=', 'running')
    .execute();
}
