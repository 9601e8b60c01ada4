import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { type Problem, problem } from '@knowhow/shared/problem';
import type { Kysely, Transaction } from 'kysely';
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
 * The stored answer has ended without the turn that writes it: another node marked it as interrupted, or a restored
 * backup holds it so. That turn stores nothing more.
 */
export class AnswerTaken extends Error {}

/** Keeps the status of an answer until the transaction ends. Throws `AnswerTaken`, or `not-found` without a row. */
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
    throw answerGone();
  }
  if (answer.status !== 'running') {
    throw new AnswerTaken();
  }
}

/**
 * For an answer that no update has found running: returns if it is stored as given, as after a commit whose
 * confirmation was lost. Throws as `holdAnswer` does otherwise.
 */
export async function checkStored(
  write: Kysely<Schema>,
  { id, status, content }: Pick<AssistantMessage, 'id' | 'status' | 'content'>,
): Promise<void> {
  const stored = await write
    .selectFrom('messages')
    .select(['status', 'content'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!stored) {
    throw answerGone();
  }
  if (stored.status !== status || stored.content !== content) {
    throw new AnswerTaken();
  }
}

/** Also what a turn finds in place of its conversation. */
export function answerGone(): Problem {
  return problem(
    'not-found',
    'This conversation has been deleted, or replaced by a restored backup. Begin a new one.',
  );
}
