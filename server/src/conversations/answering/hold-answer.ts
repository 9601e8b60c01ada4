import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { isPostgres } from '../../storage/is-postgres.ts';
import type { Schema } from '../../storage/schema.ts';
import type { TurnStart } from '../begin-turn.ts';

/** Where a turn writes what comes up while it answers. */
export interface AnswerPlace {
  conversationId: string;
  answerId: string;
}

export function placeOf({ conversation, answer }: TurnStart): AnswerPlace {
  return { conversationId: conversation.id, answerId: answer.id };
}

/**
 * Lets nobody end an answer until the transaction is over. Throws `conflict` when it has ended, as where another node
 * has gone on in the conversation while this one hung, and `not-found` when it has gone.
 */
export async function holdAnswer(
  write: Transaction<Schema>,
  { answerId }: AnswerPlace,
): Promise<void> {
  const answer = await write
    .selectFrom('messages')
    .select('status')
    .where('id', '=', answerId)
    .$if(isPostgres(write), (query) => query.forShare())
    .executeTakeFirst();
  if (!answer) {
    throw problem('not-found', 'This conversation has been deleted. Begin a new one.');
  }
  if (answer.status !== 'running') {
    throw problem(
      'conflict',
      'The server did not respond for a while, and the conversation went on without this answer. Look at it again.',
    );
  }
}
