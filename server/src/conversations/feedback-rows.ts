import type { Message } from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import type { Database } from '../storage/open-database.ts';
import { belongsTo } from './comparison/belongs-to.ts';

type FeedbackOf = ReadonlyMap<string, Feedback>;

/** What the owner of a conversation thinks of its answers, by their ids. */
export async function feedbackIn(database: Database, conversationId: string): Promise<FeedbackOf> {
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

export function withFeedback(message: Message, known: FeedbackOf): Message {
  const feedback = known.get(message.id);
  return message.role === 'assistant' && feedback ? { ...message, feedback } : message;
}

/** Stores it, or takes it back; false when this is no answer of the owner's. */
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
  const said = {
    value: feedback.value,
    reason: feedback.reason ?? null,
    updated_at: new Date().toISOString(),
  };
  // Where the answer has gone meanwhile, so does this.
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('feedback')
    .columns(['message_id', 'conversation_id', 'value', 'reason', 'updated_at'])
    .expression((from) =>
      from
        .selectFrom('messages')
        .select(({ val }) => [
          'id',
          'conversation_id',
          val(said.value).as('value'),
          val(said.reason).as('reason'),
          val(said.updated_at).as('updated_at'),
        ])
        .where('id', '=', messageId),
    )
    .onConflict((conflict) => conflict.column('message_id').doUpdateSet(said))
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
