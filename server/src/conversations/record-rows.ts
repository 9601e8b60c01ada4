import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import { detailsOf } from './conversation-rows.ts';
import type { AnswerRecord } from './records.ts';

/** Stores an answer as it is now; false when it has gone, has ended, or was marked as nobody's. */
export async function updateAnswer(
  write: Kysely<Schema>,
  answer: AssistantMessage,
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable('messages')
    .set({ content: answer.content, status: answer.status, details: detailsOf(answer) })
    .where('id', '=', answer.id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What of an answer's calls is stored already. */
export interface StoredCalls {
  results: number;
  states: number;
}

/** Stores what tools have given since, and what the vendor wants back. Answers what is stored then. */
export async function insertCalls(
  write: Kysely<Schema>,
  at: { conversationId: string; messageId: string },
  { results, states }: AnswerRecord,
  stored: StoredCalls,
): Promise<StoredCalls> {
  const key = { message_id: at.messageId, conversation_id: at.conversationId };
  const newResults = results.slice(stored.results).map((result, index) => ({
    ...key,
    number: stored.results + index,
    content: result.content,
    is_error: result.isError ? 1 : 0,
    images: result.images ? JSON.stringify(result.images) : null,
    skills: JSON.stringify(result.skills),
    ms: result.ms,
  }));
  const newStates = [...states]
    .slice(stored.states)
    .map(([round, state]) => ({ ...key, round, state: JSON.stringify(state) }));
  if (newResults.length > 0) {
    await write
      .insertInto('tool_results')
      .values(newResults)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (newStates.length > 0) {
    await write
      .insertInto('vendor_states')
      .values(newStates)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return {
    results: stored.results + newResults.length,
    states: stored.states + newStates.length,
  };
}
