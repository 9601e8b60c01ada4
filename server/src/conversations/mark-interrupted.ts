import type { MessageStatus } from '@knowhow/shared/chat/conversations';
import type { Kysely } from 'kysely';
import { inList } from '../storage/in-list.ts';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';

/** Marks the answers that nobody writes any more. One that has come to its end meanwhile stays as it is. */
export async function markInterrupted(
  database: Database,
  isAnswered: (conversationId: string) => Promise<boolean>,
): Promise<void> {
  const unfinished = await database
    .selectFrom('messages')
    .select(['id', 'conversation_id'])
    .where('status', '=', 'running')
    .execute();
  const left: string[] = [];
  for (const { id, conversation_id } of unfinished) {
    if (!(await isAnswered(conversation_id))) {
      left.push(id);
    }
  }
  await database
    .updateTable('messages')
    .set({ status: 'interrupted' satisfies MessageStatus })
    .where('id', 'in', inList(left))
    .where('status', '=', 'running')
    .execute();
}

/** To be called by whoever has the conversation for a turn: an answer in it that runs is nobody's any more. */
export async function interruptIn(write: Kysely<Schema>, conversationId: string): Promise<void> {
  await write
    .updateTable('messages')
    .set({ status: 'interrupted' satisfies MessageStatus })
    .where('conversation_id', '=', conversationId)
    .where('status', '=', 'running')
    .execute();
}
