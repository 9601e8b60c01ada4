import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { type Problem, problem } from '@knowhow/shared/problem';
import type { Kysely, Transaction } from 'kysely';
import { isPostgres } from '../../../platform/storage/is-postgres.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { TurnStart } from '../begin-turn.ts';

/** The answer that a turn's writes belong to. */
export interface AnswerLocation {
  conversationId: string;
  answerId: string;
}

export function getAnswerLocation({ conversation, answer }: TurnStart): AnswerLocation {
  return { conversationId: conversation.id, answerId: answer.id };
}

/**
 * The stored answer was ended by something else than its turn: marked as interrupted by another node, or replaced by
 * a restored backup. The turn stores nothing more.
 */
export class AnswerTakenOver extends Error {}

/**
 * Fences the writes of a turn: locks a running answer's status until the transaction ends. Throws `AnswerTakenOver` if it is not running, or
 * `not-found` if it has no row.
 */
export async function lockRunningAnswer(
  write: Transaction<Schema>,
  { answerId }: AnswerLocation,
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
    throw new AnswerTakenOver();
  }
}

/**
 * Called if an update found no running answer. Returns if it is already stored as given, e.g. after a commit whose
 * acknowledgement was lost. Otherwise throws as `lockRunningAnswer`.
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
    throw new AnswerTakenOver();
  }
}

/** The problem for a turn whose answer or conversation is gone. */
export function answerGone(): Problem {
  return problem(
    'not-found',
    'This conversation was deleted or replaced by a restored backup. Start a new one.',
  );
}
