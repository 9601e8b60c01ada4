import type { Message } from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import type { Database } from '../../platform/storage/open-database.ts';
import { belongsTo } from './comparison/belongs-to.ts';

type FeedbackById = ReadonlyMap<string, Feedback>;

/** The owner's feedback on a conversation's answers, by message ID. */
export async function loadFeedback(
  database: Database,
  conversationId: string,
): Promise<FeedbackById> {
  const rows = await database
    .selectFrom('feedback')
    .select(['message_id', 'value', 'reason'])
    .where('conversation_id', '=', conversationId)
    .execute();
  return new Map(
    rows.map(({ message_id, value, reason }) => [
      message_id,
      { value, ...(reason === null ? {} : { reason }) },
    ]),
  );
}

export function withFeedback(message: Message, known: FeedbackById): Message {
  const feedback = known.get(message.id);
  return message.role === 'assistant' && feedback ? { ...message, feedback } : message;
}

/** Stores or removes feedback; false if the owner has no such answer. */
export async function writeFeedback(
  database: Database,
  owner: string,
  { messageId, feedback }: { messageId: string; feedback: Feedback | null },
): Promise<boolean> {
  const answer = await database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select('conversation_id')
    .where('messages.id', '=', messageId)
    .where('role', '=', 'assistant')
    .where(belongsTo(owner))
    .executeTakeFirst();
  if (!answer) {
    return false;
  }
  if (!feedback) {
    await database.deleteFrom('feedback').where('message_id', '=', messageId).execute();
    return true;
  }
  const values = {
    value: feedback.value,
    reason: feedback.reason ?? null,
    updated_at: new Date().toISOString(),
  };
  // Inserts nothing if the answer has been deleted meanwhile.
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('feedback')
    .columns(['message_id', 'conversation_id', 'value', 'reason', 'updated_at'])
    .expression((from) =>
      from
        .selectFrom('messages')
        .select(({ val }) => [
          'id',
          'conversation_id',
          val(values.value).as('value'),
          val(values.reason).as('reason'),
          val(values.updated_at).as('updated_at'),
        ])
        .where('id', '=', messageId),
    )
    .onConflict((conflict) => conflict.column('message_id').doUpdateSet(values))
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
