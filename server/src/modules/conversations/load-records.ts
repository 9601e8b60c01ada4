import type { Message } from '@knowhow/shared/chat/conversations';
import { compileOnce } from '../../platform/storage/compile-once.ts';
import { inList } from '../../platform/storage/in-list.ts';
import { type JsonRows, jsonRows, parseRows } from '../../platform/storage/json-rows.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { ModelImage } from '../models/index.ts';
import { selectActivations, toActivationRecord } from './activation-rows.ts';
import { loadAttached } from './attached-files.ts';
import { selectCompactions, toCompaction } from './compaction-rows.ts';
import { parseInstructions, parseSuggestedSkills, toMessage } from './conversation-rows.ts';
import type { AnswerRecord, Earlier, Records } from './records.ts';

/** Number of dropped turns that are loaded too, to calibrate the token estimate. */
const extraTurns = 8;

/** A conversation with all that its next turn needs except its messages. */
export type TurnRow = NonNullable<Awaited<ReturnType<typeof findTurnRow>>>;

/**
 * Finds a conversation for a turn.
 *
 * @param replaces ID of the message that the turn replaces
 */
export async function findTurnRow(database: Database, id: string, replaces = '') {
  const [row] = await selectTurnRows(database, { id, replaces });
  return row;
}

const selectTurnRows = compileOnce({ id: ':id', replaces: ':replaces' }, (database, values) =>
  database
    .selectFrom('conversations')
    .selectAll()
    .where('conversations.id', '=', values.id)
    .select((eb) => [
      jsonRows(database, selectActivations(eb)).as('activations'),
      jsonRows(database, selectCompactions(eb)).as('compactions'),
      eb
        .selectFrom('messages')
        .select('position')
        .where('messages.id', '=', values.replaces)
        .as('replaced_position'),
      eb
        .selectFrom('lines')
        .select('lines.id')
        .whereRef('lines.conversation_id', '=', 'conversations.id')
        .where('is_comparison', '=', 1)
        .limit(1)
        .as('comparison_branch'),
      eb
        .exists(
          eb
            .selectFrom('files')
            .select('files.id')
            .whereRef('files.conversation_id', '=', 'conversations.id')
            .where('text', 'is not', null),
        )
        .as('has_texts'),
    ]),
);

/** Messages of a conversation from a position on, with their vendor states. */
const selectMessages = compileOnce({ id: ':id', position: -1 }, (database, { id, position }) =>
  messagesOf(database, id)
    .selectAll()
    .select((eb) =>
      jsonRows(
        database,
        eb
          .selectFrom('vendor_states')
          .select(['round', 'state'])
          .whereRef('vendor_states.message_id', '=', 'messages.id'),
      ).as('states'),
    )
    .where('position', '>=', position)
    .orderBy('position'),
);

/**
 * Loads what a conversation's requests are rendered from. Turns dropped by the last compaction are not loaded, except
 * the latest few. Compactions after a message to be replaced are ignored for that.
 */
export async function loadRecords(database: Database, row: TurnRow): Promise<Records> {
  const { id } = row;
  const compactions = parseRows(row.compactions);
  const turns = Math.max(0, findFirstKept(compactions, row.replaced_position) - extraTurns);
  const position = turns === 0 ? 0 : await positionOf(database, id, turns);
  const rows = await selectMessages(database, { id, position });
  const messages = rows.map(toMessage);
  const sent = messages.flatMap((each) => (each.role === 'user' ? (each.attachments ?? []) : []));
  const [answers, earlier, cameEarlier, attached] = await Promise.all([
    loadAnswers(database, messages, rows),
    position === 0 ? undefined : loadEarlier(database, id, { turns, position }),
    position === 0 ? [] : loadCameWith(database, id, position),
    loadAttached(database, sent),
  ]);
  return {
    ...(earlier ? { earlier } : {}),
    messages,
    answers,
    activations: parseRows(row.activations).map(toActivationRecord),
    compactions: compactions.map(toCompaction),
    named: parseSuggestedSkills([...cameEarlier, ...rows]),
    instructions: parseInstructions([...cameEarlier, ...rows]),
    attached,
    hasTexts: Boolean(row.has_texts),
  };
}

function messagesOf(database: Database, conversationId: string) {
  return database.selectFrom('messages').where('messages.conversation_id', '=', conversationId);
}

/**
 * Index of the first turn that the last compaction keeps.
 *
 * @param before position in the conversation; later compactions are ignored
 */
function findFirstKept(
  compactions: readonly { kept_from: number; position: number | null }[],
  before: number | null,
): number {
  const last = compactions.findLast(
    ({ position }) => position !== null && (before === null || position < before),
  );
  return last?.kept_from ?? 0;
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

interface StatesRow {
  id: string;
  states: JsonRows<Pick<Schema['vendor_states'], 'round' | 'state'>>;
}

async function loadAnswers(
  database: Database,
  messages: readonly Message[],
  rows: readonly StatesRow[],
): Promise<Map<string, AnswerRecord>> {
  const answers = new Map<string, AnswerRecord>();
  const getRecord = (id: string) => {
    const record: AnswerRecord = answers.get(id) ?? { results: [], states: new Map() };
    answers.set(id, record);
    return record;
  };
  const hasCalls = messages.filter((message) => 'rounds' in message && message.rounds);
  const results =
    hasCalls.length === 0
      ? []
      : await database
          .selectFrom('tool_results')
          .selectAll()
          .where('message_id', 'in', inList(hasCalls.map(({ id }) => id)))
          .orderBy('number')
          .execute();
  for (const row of results) {
    getRecord(row.message_id).results.push({
      content: row.content,
      isError: row.is_error === 1,
      ...(row.images === null ? {} : { images: JSON.parse(row.images) as ModelImage[] }),
      skills: JSON.parse(row.skills) as string[],
      ms: row.ms,
    });
  }
  for (const { id, states } of rows) {
    for (const { round, state } of parseRows(states)) {
      getRecord(id).states.set(round, JSON.parse(state));
    }
  }
  return answers;
}
