import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type {
  Conversation,
  ConversationSummary,
  Message,
} from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import type { Lines } from '@knowhow/shared/lines';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { limitConcurrency } from '../../platform/lib/limit-concurrency.ts';
import { groupWrites, type WriteInGroup } from '../../platform/storage/group-writes.ts';
import { indexSoon } from '../../platform/storage/index-pending.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { endSkill } from './activation-rows.ts';
import { checkStored } from './answering/lock-running-answer.ts';
import { turnWrites } from './answering/turn-writes.ts';
import { findAttachable, loadAttached } from './attached-files.ts';
import { beginTurn, type StartedTurn, type TurnStart } from './begin-turn.ts';
import { type CallResult, findCall } from './call-rows.ts';
import { activeNames } from './comparison/active-names.ts';
import {
  type ComparisonStore,
  createComparisonStore,
  findComparisonBranch,
  owns,
} from './comparison/comparison-store.ts';
import {
  parseRanked,
  parseSkillsOff,
  parseTools,
  toActivation,
  toMessage,
  toSummary,
} from './conversation-rows.ts';
import { loadFeedback, withFeedback, writeFeedback } from './feedback-rows.ts';
import { type Exchange, findExchange } from './find-exchange.ts';
import { type ConversationPage, type ListQuery, listConversations } from './list-conversations.ts';
import { findTurnRow, loadRecords, type TurnRow } from './load-records.ts';
import { markInterrupted } from './mark-interrupted.ts';
import { insertCalls, updateAnswer } from './record-rows.ts';
import {
  finishRemovals,
  removeAllConversations,
  removeConversation,
} from './remove-conversation.ts';
import { switchBranch } from './switch-branch.ts';
import type { ClaimedConversation, TurnStore } from './turn-store.ts';

/** Conversations in the database. Those of other owners are never found. */
export interface ConversationStore extends TurnStore, ComparisonStore {
  /** @param signal aborts a search, which then rejects with the signal's reason */
  list(owner: string, query: ListQuery, signal?: AbortSignal): Promise<ConversationPage>;
  /** Finds a conversation, or a branch as if it were one. */
  find(owner: string, id: string): Promise<Conversation | undefined>;
  /** Whether the owner has this conversation. */
  has(owner: string, id: string): Promise<boolean>;
  /** Its title; undefined if there is no such conversation. */
  titleOf(owner: string, id: string): Promise<string | undefined>;
  change(owner: string, id: string, change: Change): Promise<ConversationSummary | undefined>;
  /** False if there was nothing to delete. */
  remove(owner: string, id: string): Promise<boolean>;
  /** Number of conversations of an owner. */
  countOf(owner: string): Promise<number>;
  /** Removes all conversations of an owner, which are hidden immediately. Returns how many there were. */
  removeAllOf(owner: string): Promise<number>;
  /** Stores the owner's feedback on an answer; null removes it. False if they have no such answer. */
  giveFeedback(owner: string, messageId: string, feedback: Feedback | null): Promise<boolean>;
  /** An answer of the owner with its question, and the skills that it used; undefined if they have no such answer. */
  findExchange(owner: string, messageId: string): Promise<Exchange | undefined>;
  /** A tool call's result by its number in an answer of the owner. */
  findCall(owner: string, messageId: string, number: number): Promise<CallResult | undefined>;
  /** Switches to the branch that contains this message. Requires that no turn is running. Throws `not-found`. */
  switchBranch(owner: string, choice: { id: string; question: string }): Promise<void>;
  /** Ends a skill; false if it was not active. */
  endSkill(owner: string, id: string, name: string): Promise<boolean>;
  /**
   * Crash recovery: marks abandoned answers as interrupted and finishes pending removals.
   *
   * @param isAnswered whether a turn is running in a conversation
   */
  recover(isAnswered: (conversationId: string) => Promise<boolean>): Promise<void>;
}

export function createConversationStore(database: Database): ConversationStore {
  const write = groupWrites(database);
  const planIndexing = indexSoon(database);
  const limit = limitConcurrency(1);
  const loadSerially = <Loaded>(load: () => Promise<Loaded>) =>
    limit(async () => {
      // A large conversation takes up to 100 ms, so other requests get a turn in between.
      await yieldToEventLoop();
      return load();
    });
  return {
    ...createComparisonStore(database),
    list: (owner, query, signal) => listConversations(database, owner, { ...query, signal }),
    find: async (owner, id) => {
      const row = await findVisibleRow(database, owner, id);
      return row && loadSerially(() => withMessages(database, row));
    },
    has: async (owner, id) => (await findOwnRow(database, owner, id)) !== undefined,
    titleOf: async (owner, id) => (await findOwnRow(database, owner, id))?.title,
    claim: async (owner, id, replaces) => {
      const row = await findTurnRow(database, id, replaces);
      if (!row) {
        return 'free';
      }
      return row.owner === owner ? loadSerially(() => withRecords(database, row)) : 'taken';
    },
    change: (owner, id, change) => changeConversation(database, owner, { id, ...change }),
    remove: (owner, id) => removeConversation(database, owner, id),
    countOf: (owner) => countConversations(database, owner),
    removeAllOf: (owner) => removeAllConversations(database, owner),
    giveFeedback: (owner, messageId, feedback) =>
      writeFeedback(database, owner, { messageId, feedback }),
    findExchange: (owner, messageId) => findExchange(database, owner, messageId),
    findCall: (owner, messageId, number) => findCall(database, owner, { messageId, number }),
    endSkill: (owner, id, name) => endSkill(database, owner, { id, name }),
    activeNames: (owner, id) => activeNames(database, owner, id),
    findAttachable: (ids, where) => findAttachable(database, ids, where),
    loadAttached: (attachments) => loadAttached(database, attachments),
    beginTurn: (turn) => begin(write, turn),
    switchBranch: (owner, choice) => switchBranch(database, owner, choice),
    saveAnswer: async (conversationId, answer, { calls, stored }) => {
      const at = { conversationId, messageId: answer.id };
      let isStored = stored;
      await write(async (transaction) => {
        if (!(await updateAnswer(transaction, answer))) {
          await checkStored(transaction, answer);
        }
        isStored = await insertCalls(transaction, at, calls, stored);
      });
      planIndexing();
      return isStored;
    },
    ...turnWrites(write),
    recover: (isAnswered) =>
      markInterrupted(database, isAnswered).then(() => finishRemovals(database)),
  };
}

async function begin(write: WriteInGroup, turn: TurnStart): Promise<StartedTurn> {
  let started: StartedTurn = { hasPrunedBranches: false, activeNames: undefined };
  await write(async (transaction) => {
    started = await beginTurn(transaction, turn);
  });
  return started;
}

async function withRecords(database: Database, row: TurnRow): Promise<ClaimedConversation> {
  return {
    ...toSummary(row),
    records: await loadRecords(database, row),
    comparisonBranch: row.comparison_branch ?? undefined,
    skillsOff: parseSkillsOff(row),
    ranked: parseRanked(row),
    tools: parseTools(row),
  };
}

async function withMessages(database: Database, row: Row): Promise<Conversation> {
  const { id } = row;
  const [messages, activations, compacted, feedback, comparison] = await Promise.all([
    loadMessages(database, id),
    database
      .selectFrom('activations')
      .selectAll()
      .where('conversation_id', '=', id)
      .where('ended_at', 'is', null)
      .orderBy('created_at')
      .execute(),
    database
      .selectFrom('compactions')
      .select(['kept_from', 'summary'])
      .where('conversation_id', '=', id)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
    loadFeedback(database, id),
    findComparisonBranch(database, id),
  ]);
  return {
    ...toSummary(row),
    messages: await withBranchInfo(
      database,
      id,
      messages.map((row) => ({
        ...withFeedback(toMessage(row), feedback),
        position: row.position,
      })),
    ),
    ...describeLeftOut(messages, compacted),
    ...(comparison === undefined ? {} : { comparison }),
    activeSkills: activations.map(toActivation),
    skillsOff: parseSkillsOff(row),
  };
}

function loadMessages(
  database: Database,
  conversationId: string,
): Promise<Selectable<Schema['messages']>[]> {
  return database
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('position')
    .execute();
}

async function countConversations(database: Database, owner: string): Promise<number> {
  const { total } = await database
    .selectFrom('conversations')
    .where('owner', '=', owner)
    .select(({ fn }) => fn.countAll<number | string | bigint>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

function describeLeftOut(
  messages: Selectable<Schema['messages']>[],
  compacted: Pick<Schema['compactions'], 'kept_from' | 'summary'> | undefined,
): Pick<Conversation, 'leftOut'> {
  const { kept_from: keptFrom = 0, summary = null } = compacted ?? {};
  const first = messages.filter(({ role }) => role === 'user')[keptFrom];
  return keptFrom === 0 || !first
    ? {}
    : { leftOut: { before: first.id, ...(summary === null ? {} : { summary }) } };
}

type Row = Selectable<Schema['conversations']>;

function findRow(database: Database, id: string): Promise<Row | undefined> {
  return database.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst();
}

async function findOwnRow(database: Database, owner: string, id: string): Promise<Row | undefined> {
  const row = await findRow(database, id);
  return row?.owner === owner ? row : undefined;
}

async function findVisibleRow(
  database: Database,
  owner: string,
  id: string,
): Promise<Row | undefined> {
  return (await owns(database, owner, id)) ? findRow(database, id) : undefined;
}

/** Fields to change; omitted ones stay the same. */
interface Change {
  title?: string | undefined;
  pinned?: boolean | undefined;
  /** Archiving also unpins. */
  archived?: boolean | undefined;
  /** Null removes it from its folder. */
  folder?: string | null | undefined;
  /** Expected current title; the change only applies while it is still the same. */
  before?: string;
}

/** Applies a change; undefined if the owner has no such conversation. */
async function changeConversation(
  database: Database,
  owner: string,
  { id, title, pinned, archived, folder, before }: Change & { id: string },
): Promise<ConversationSummary | undefined> {
  const changed = await database
    .updateTable('conversations')
    .set({
      ...(title === undefined ? {} : { title }),
      ...(archived === undefined ? {} : { archived: Number(archived) }),
      ...(archived ? { pinned: 0 } : {}),
      ...(pinned === undefined ? {} : { pinned: Number(pinned) }),
      ...(folder === undefined ? {} : { folder }),
    })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .$if(before !== undefined, (query) => query.where('title', '=', before ?? ''))
    .returningAll()
    .executeTakeFirst();
  return changed && toSummary(changed);
}

/** The first message of an archived branch. */
interface FirstMessage {
  position: number;
  id: string;
  created_at: string;
  /** Whether the message shown at that position has the same content. */
  is_same: number;
}

/** Adds branch information to the message at which branches begin to differ. */
async function withBranchInfo(
  database: Database,
  conversationId: string,
  messages: readonly (Message & { position: number })[],
): Promise<Message[]> {
  const { rows } = await sql<FirstMessage>`
    select lines.position, away.id, away.created_at, away.content = shown.content as is_same
    from lines
    join messages as away on away.conversation_id = lines.id and away.position = lines.position
    join messages as shown
      on shown.conversation_id = lines.conversation_id and shown.position = lines.position
    where lines.conversation_id = ${conversationId}`.execute(database);
  const byMessage = new Map<string, Lines>();
  for (const [index, shown] of messages.entries()) {
    const others = rows.filter(({ position }) => position === shown.position);
    if (others.length > 0) {
      const answer = messages[index + 1];
      const differs = others.every((other) => other.is_same === 1) ? answer : shown;
      byMessage.set((differs ?? shown).id, describeBranches(shown, others));
    }
  }
  return messages.map(({ position: _, ...message }) => {
    const lines = byMessage.get(message.id);
    return lines ? { ...message, lines } : message;
  });
}

/** Branches in order of creation. */
function describeBranches(shown: Message, others: readonly FirstMessage[]): Lines {
  const all = [...others, { id: shown.id, created_at: shown.createdAt }].sort(
    (one, other) => compare(one.created_at, other.created_at) || compare(one.id, other.id),
  );
  const index = all.findIndex(({ id }) => id === shown.id);
  const before = all[index - 1]?.id;
  const after = all[index + 1]?.id;
  return {
    at: index + 1,
    of: all.length,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
