import type { Database } from '../../platform/storage/open-database.ts';
import { belongsTo } from './comparison/belongs-to.ts';

/** A question and its answer. */
export interface Exchange {
  question: string;
  answer: string;
  /** Names of the skills that were active for the answer. */
  skills: string[];
}

/** An answer of the owner with its question; undefined if they have no such answer. */
export async function findExchange(
  database: Database,
  owner: string,
  messageId: string,
): Promise<Exchange | undefined> {
  const answer = await database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['conversation_id', 'position', 'content'])
    .where('messages.id', '=', messageId)
    .where('role', '=', 'assistant')
    .where(belongsTo(owner))
    .executeTakeFirst();
  const question =
    answer &&
    (await database
      .selectFrom('messages')
      .select(['id', 'position', 'content', 'created_at'])
      .where('conversation_id', '=', answer.conversation_id)
      .where('role', '=', 'user')
      .where('position', '<', answer.position)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst());
  if (!question) {
    return undefined;
  }
  const activations = await database
    .selectFrom('activations')
    .innerJoin('messages as asked', 'asked.id', 'activations.message_id')
    .select('activations.name')
    .distinct()
    .where('activations.conversation_id', '=', answer.conversation_id)
    .where('asked.position', '<=', question.position)
    .where(({ eb, or }) =>
      or([
        eb('asked.id', '=', question.id),
        eb('activations.ended_at', 'is', null),
        eb('activations.ended_at', '>', question.created_at),
      ]),
    )
    .execute();
  return {
    question: question.content,
    answer: answer.content,
    skills: activations.map(({ name }) => name),
  };
}
