import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/storage/schema.ts';
import { serializeDetails } from './conversation-rows.ts';
import type { AnswerRecord } from './records.ts';

/** Stores the current state of an answer; false if it was deleted, has ended or was marked as interrupted. */
export async function updateAnswer(
  write: Kysely<Schema>,
  answer: AssistantMessage,
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable('messages')
    .set({ content: answer.content, status: answer.status, details: serializeDetails(answer) })
    .where('id', '=', answer.id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many of an answer's results and vendor states are stored already. */
export interface StoredCalls {
  results: number;
  states: number;
}

/** Stores new tool results and vendor states. Returns what is stored afterwards. */
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
