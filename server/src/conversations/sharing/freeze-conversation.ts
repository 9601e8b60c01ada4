import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../storage/open-database.ts';
import { messageOf } from '../conversation-rows.ts';
import { type Behind, type Freezing, freezeMessage } from './freeze-message.ts';

/** The longest copy, in characters. */
const mostLength = 64_000_000;
const messagesAtOnce = 50;

/** The messages of a conversation as readers will get them, each as JSON. Throws `too-large`. */
export async function freezeConversation(
  database: Database,
  id: string,
  freezing: Freezing,
): Promise<string[]> {
  const frozen: string[] = [];
  const texts = freezing.details ? await loadTexts(database, id) : new Map();
  let question = '';
  let length = 0;
  for (let isMore = true; isMore; await yieldToEventLoop()) {
    const rows = await database
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', id)
      .where('position', '>=', frozen.length)
      .orderBy('position')
      .limit(messagesAtOnce)
      .execute();
    const answers = rows.filter(({ role }) => role === 'assistant').map((row) => row.id);
    const results = freezing.details ? await loadResults(database, answers) : new Map();
    for (const row of rows) {
      question = row.role === 'user' ? row.id : question;
      const behind: Behind = {
        results: results.get(row.id) ?? new Map(),
        texts: texts.get(question) ?? new Map(),
      };
      const text = JSON.stringify(freezeMessage(messageOf(row), freezing, behind));
      length += text.length;
      frozen.push(text);
    }
    if (length > mostLength) {
      throw problem(
        'too-large',
        'This conversation is too long to be shared like that. Share it without what went on behind the answers.',
      );
    }
    isMore = rows.length === messagesAtOnce;
  }
  return frozen;
}

/** The texts of skills, by id of the user's message in whose turn they came in, and by name. */
async function loadTexts(database: Database, id: string): Promise<Map<string, Behind['texts']>> {
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

/** What the calls of answers gave, by id of the answer. */
async function loadResults(
  database: Database,
  answers: readonly string[],
): Promise<Map<string, Behind['results']>> {
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
