import type { AssistantMessage, Message } from '@knowhow/shared/conversations';
import type { Kysely, Selectable } from 'kysely';
import type { ModelImage } from '../models/model.ts';
import { oneOf } from '../storage/one-of.ts';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';
import { loadActivations } from './activation-rows.ts';
import { loadCompactions } from './compaction-rows.ts';
import { detailsOf, messageOf, namedSkillsOf } from './conversation-rows.ts';
import type { AnswerRecord, Records } from './records.ts';

/** What the requests of a conversation are made of. */
export async function loadRecords(
  database: Database,
  conversationId: string,
  rows: readonly Selectable<Schema['messages']>[],
): Promise<Records> {
  const messages = rows.map(messageOf);
  const [activations, answers, compactions] = await Promise.all([
    loadActivations(database, conversationId),
    loadAnswers(database, messages),
    loadCompactions(database, conversationId),
  ]);
  return { messages, answers, activations, compactions, named: namedSkillsOf(rows) };
}

async function loadAnswers(
  database: Database,
  messages: readonly Message[],
): Promise<Map<string, AnswerRecord>> {
  const called = messages.filter(
    (message): message is AssistantMessage =>
      message.role === 'assistant' && message.rounds !== undefined,
  );
  const answers = new Map<string, AnswerRecord>(
    called.map(({ id }) => [id, { results: [], states: new Map() }]),
  );
  if (called.length === 0) {
    return answers;
  }
  const ids = oneOf(called.map(({ id }) => id));
  const [results, states] = await Promise.all([
    database
      .selectFrom('tool_results')
      .selectAll()
      .where('message_id', 'in', ids)
      .orderBy('number')
      .execute(),
    database.selectFrom('vendor_states').selectAll().where('message_id', 'in', ids).execute(),
  ]);
  for (const row of results) {
    answers.get(row.message_id)?.results.push({
      content: row.content,
      isError: row.is_error === 1,
      ...(row.images === null ? {} : { images: JSON.parse(row.images) as ModelImage[] }),
      skills: JSON.parse(row.skills) as string[],
      ms: row.ms,
    });
  }
  for (const { message_id, round, state } of states) {
    answers.get(message_id)?.states.set(round, JSON.parse(state));
  }
  return answers;
}

/** Stores an answer as it is now; false when it has gone. */
export async function updateAnswer(
  write: Kysely<Schema>,
  answer: AssistantMessage,
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable('messages')
    .set({ content: answer.content, status: answer.status, details: detailsOf(answer) })
    .where('id', '=', answer.id)
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
