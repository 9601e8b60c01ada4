import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../../platform/storage/open-database.ts';
import { toMessage } from '../conversation-rows.ts';
import {
  type AnswerExtras,
  type FreezeOptions,
  type FrozenMessage,
  freezeMessage,
} from './freeze-message.ts';

const batchSize = 50;

/** Yields the messages of a conversation in batches, sanitized for readers. */
export async function* frozenMessages(
  database: Database,
  id: string,
  freezing: FreezeOptions,
): AsyncGenerator<FrozenMessage[]> {
  const texts: Map<string, AnswerExtras['texts']> = freezing.details
    ? await loadTexts(database, id)
    : new Map();
  let question = '';
  for (let position = 0; ; position += batchSize) {
    const rows = await database
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', id)
      .where('position', '>=', position)
      .orderBy('position')
      .limit(batchSize)
      .execute();
    const answers = rows.filter(({ role }) => role === 'assistant').map((row) => row.id);
    const results = await loadResults(database, freezing.details ? answers : []);
    yield rows.map((row) => {
      question = row.role === 'user' ? row.id : question;
      return freezeMessage(toMessage(row), freezing, {
        results: results.get(row.id) ?? new Map(),
        texts: texts.get(question) ?? new Map(),
      });
    });
    if (rows.length < batchSize) {
      return;
    }
    await yieldToEventLoop();
  }
}

/** Skill texts by ID of the user's message in whose turn they were activated, and by name. */
async function loadTexts(
  database: Database,
  id: string,
): Promise<Map<string, AnswerExtras['texts']>> {
  const rows = await database
    .selectFrom('activations')
    .innerJoin('skill_texts', 'skill_texts.checksum', 'activations.text')
    .select(['message_id', 'name', 'content'])
    .where('conversation_id', '=', id)
    .execute();
  const texts = new Map<string, Map<string, string>>();
  for (const { message_id, name, content } of rows) {
    texts.set(message_id, (texts.get(message_id) ?? new Map()).set(name, content));
  }
  return texts;
}

/** Tool results by ID of the answer. */
async function loadResults(
  database: Database,
  answers: readonly string[],
): Promise<Map<string, AnswerExtras['results']>> {
  const results = new Map<string, Map<number, { content: string; skills: readonly string[] }>>();
  if (answers.length === 0) {
    return results;
  }
  const rows = await database
    .selectFrom('tool_results')
    .select(['message_id', 'number', 'content', 'skills'])
    .where('message_id', 'in', answers)
    .execute();
  for (const { message_id, number, content, skills } of rows) {
    const known = results.get(message_id) ?? new Map();
    results.set(message_id, known.set(number, { content, skills: JSON.parse(skills) }));
  }
  return results;
}
