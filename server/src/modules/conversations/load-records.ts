import type { Message } from '@knowhow/shared/chat/conversations';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { ModelImage } from '../models/model.ts';
import { loadActivations } from './activation-rows.ts';
import { hasTexts, loadAttached } from './attached-files.ts';
import { loadCompactions } from './compaction-rows.ts';
import { parseInstructions, parseSuggestedSkills, toMessage } from './conversation-rows.ts';
import type { AnswerRecord, Earlier, Records } from './records.ts';

/** Number of dropped turns that are loaded too, to calibrate the token estimate. */
const extraTurns = 8;

/**
 * Loads what a conversation's requests are rendered from. Turns dropped by the last compaction are not loaded, except
 * the latest few.
 *
 * @param replaces ID of a message to be replaced; compactions after it are ignored
 */
export async function loadRecords(
  database: Database,
  conversationId: string,
  replaces?: string,
): Promise<Records> {
  const turns = Math.max(0, (await findFirstKept(database, conversationId, replaces)) - extraTurns);
  const position = turns === 0 ? 0 : await positionOf(database, conversationId, turns);
  const rows = await messagesOf(database, conversationId)
    .selectAll()
    .where('position', '>=', position)
    .orderBy('position')
    .execute();
  const messages = rows.map(toMessage);
  const sent = messages.flatMap((each) => (each.role === 'user' ? (each.attachments ?? []) : []));
  const [activations, answers, compactions, earlier, cameEarlier, attached] = await Promise.all([
    loadActivations(database, conversationId),
    loadAnswers(database, messages),
    loadCompactions(database, conversationId),
    position === 0 ? undefined : loadEarlier(database, conversationId, { turns, position }),
    position === 0 ? [] : loadCameWith(database, conversationId, position),
    loadAttached(database, sent),
  ]);
  return {
    ...(earlier ? { earlier } : {}),
    messages,
    answers,
    activations,
    compactions,
    named: parseSuggestedSkills([...cameEarlier, ...rows]),
    instructions: parseInstructions([...cameEarlier, ...rows]),
    attached,
    hasTexts: await hasTexts(database, conversationId),
  };
}

function messagesOf(database: Database, conversationId: string) {
  return database.selectFrom('messages').where('messages.conversation_id', '=', conversationId);
}

/** Index of the first turn that the last compaction keeps. */
async function findFirstKept(
  database: Database,
  conversationId: string,
  replaces: string | undefined,
): Promise<number> {
  const latest = messagesOf(database, conversationId)
    .innerJoin('compactions', 'compactions.message_id', 'messages.id')
    .select('kept_from')
    .orderBy('compactions.created_at', 'desc')
    .limit(1);
  const before =
    replaces === undefined
      ? latest
      : latest.where('position', '<', (select) =>
          select.selectFrom('messages').select('position').where('id', '=', replaces),
        );
  return (await before.executeTakeFirst())?.kept_from ?? 0;
}

/** Position of a turn's first message. */
async function positionOf(
  database: Database,
  conversationId: string,
  turn: number,
): Promise<number> {
  const { position } = await messagesOf(database, conversationId)
    .select('position')
    .where('role', '=', 'user')
    .orderBy('position')
    .limit(1)
    .offset(turn)
    .executeTakeFirstOrThrow();
  return position;
}

async function loadEarlier(
  database: Database,
  conversationId: string,
  { turns, position }: { turns: number; position: number },
): Promise<Earlier> {
  const earlier = messagesOf(database, conversationId).where('position', '<', position);
  const [size, row, results] = await Promise.all([
    earlier
      .select(({ fn }) => [
        fn.countAll<number | string | bigint>().as('messages'),
        fn.sum<number | string | bigint>(fn('length', ['content'])).as('characters'),
      ])
      .executeTakeFirstOrThrow(),
    earlier.selectAll().where('role', '=', 'user').orderBy('position').limit(1).executeTakeFirst(),
    earlier
      .innerJoin('tool_results', 'tool_results.message_id', 'messages.id')
      .select('skills')
      .distinct()
      .execute(),
  ]);
  const first = row && toMessage(row);
  if (first?.role !== 'user') {
    throw new Error('A conversation has turns, and no message of its user.');
  }
  return {
    turns,
    messages: Number(size.messages),
    characters: Number(size.characters),
    first,
    skills: [...new Set(results.flatMap(({ skills }) => JSON.parse(skills) as string[]))],
  };
}

/** Suggestions and instructions of messages that are not loaded. */
function loadCameWith(database: Database, conversationId: string, position: number) {
  return messagesOf(database, conversationId)
    .select(['id', 'named', 'instructions'])
    .where('position', '<', position)
    .where(({ eb, or }) => or([eb('named', 'is not', null), eb('instructions', 'is not', null)]))
    .orderBy('position')
    .execute();
}

async function loadAnswers(
  database: Database,
  messages: readonly Message[],
): Promise<Map<string, AnswerRecord>> {
  const answered = messages.filter(({ role }) => role === 'assistant');
  const answers = new Map<string, AnswerRecord>();
  const getRecord = (id: string) => {
    const record: AnswerRecord = answers.get(id) ?? { results: [], states: new Map() };
    answers.set(id, record);
    return record;
  };
  if (answered.length === 0) {
    return answers;
  }
  const hasCalls = answered.filter((message) => 'rounds' in message && message.rounds);
  const [results, states] = await Promise.all([
    hasCalls.length === 0
      ? []
      : database
          .selectFrom('tool_results')
          .selectAll()
          .where('message_id', 'in', inList(hasCalls.map(({ id }) => id)))
          .orderBy('number')
          .execute(),
    database
      .selectFrom('vendor_states')
      .selectAll()
      .where('message_id', 'in', inList(answered.map(({ id }) => id)))
      .execute(),
  ]);
  for (const row of results) {
    getRecord(row.message_id).results.push({
      content: row.content,
      isError: row.is_error === 1,
      ...(row.images === null ? {} : { images: JSON.parse(row.images) as ModelImage[] }),
      skills: JSON.parse(row.skills) as string[],
      ms: row.ms,
    });
  }
  for (const { message_id, round, state } of states) {
    getRecord(message_id).states.set(round, JSON.parse(state));
  }
  return answers;
}
