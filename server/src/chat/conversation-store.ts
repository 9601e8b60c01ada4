import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Activation } from '@knowhow/shared/chat';
import type {
  AssistantMessage,
  Conversation,
  ConversationSummary,
  MessageStatus,
} from '@knowhow/shared/conversations';
import type { Selectable, Transaction } from 'kysely';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { groupWrites } from '../storage/group-writes.ts';
import { indexSoon } from '../storage/index-pending.ts';
import { oneOf } from '../storage/one-of.ts';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';
import { beginTurn, insertActivation, type TurnStart } from './begin-turn.ts';
import { activationOf, detailsOf, messageOf, skillsOffOf, summaryOf } from './conversation-rows.ts';
import { type ConversationPage, type ListQuery, listConversations } from './list-conversations.ts';
import {
  finishRemovals,
  removeConversation,
  removeConversationsOf,
} from './remove-conversation.ts';

/** Conversations in the database. What belongs to somebody else is not found. */
export interface ConversationStore {
  /** @param signal ends a search: rejects with its reason */
  list(owner: string, query: ListQuery, signal?: AbortSignal): Promise<ConversationPage>;
  find(owner: string, id: string): Promise<Conversation | undefined>;
  /** The same for a turn, which may also begin a new conversation under an id that is free. */
  claim(owner: string, id: string): Promise<Conversation | 'free' | 'taken'>;
  rename(owner: string, id: string, title: string): Promise<ConversationSummary | undefined>;
  /** False when there was nothing to delete. */
  remove(owner: string, id: string): Promise<boolean>;
  /** How many somebody has. */
  countOf(owner: string): Promise<number>;
  /** Removes all of somebody, who sees none of them from the first moment on. Answers how many. */
  removeAllOf(owner: string): Promise<number>;
  /** False when the skill was not active. */
  endSkill(owner: string, id: string, name: string): Promise<boolean>;
  /** Names of the skills that are active in it; undefined when it is gone. */
  activeNames(owner: string, id: string): Promise<ReadonlySet<string> | undefined>;
  /** Stores all a turn begins with, at once: before the model is called. */
  beginTurn(turn: TurnStart): Promise<void>;
  /** Stores the answer so far, or, with a status other than `running`, its end. */
  saveAnswer(answer: AssistantMessage): Promise<void>;
  /** Stores a skill that became active in the turn of the user's message `messageId`. */
  addActivation(conversationId: string, messageId: string, activation: Activation): Promise<void>;
  /**
   * After a crash: marks the answers that nobody writes any more, and finishes removals.
   *
   * @param isAnswered whether a turn is under way in a conversation
   */
  recover(isAnswered: (conversationId: string) => Promise<boolean>): Promise<void>;
}

export function createConversationStore(database: Database): ConversationStore {
  const write = groupWrites(database);
  const planIndexing = indexSoon(database);
  const oneAtATime = limitConcurrency(1);
  const load = (row: Row) =>
    oneAtATime(async () => {
      // A long one takes a tenth of a second: between two of them others are answered.
      await yieldToEventLoop();
      return withMessages(database, row);
    });
  return {
    list: (owner, query, signal) => listConversations(database, owner, { ...query, signal }),
    find: async (owner, id) => {
      const row = await rowOf(database, id);
      return row?.owner === owner ? load(row) : undefined;
    },
    claim: async (owner, id) => {
      const row = await rowOf(database, id);
      if (!row) {
        return 'free';
      }
      return row.owner === owner ? load(row) : 'taken';
    },
    rename: async (owner, id, title) => {
      const renamed = await database
        .updateTable('conversations')
        .set({ title })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .returningAll()
        .executeTakeFirst();
      return renamed && summaryOf(renamed);
    },
    remove: (owner, id) => removeConversation(database, owner, id),
    countOf: (owner) => countOf(database, owner),
    removeAllOf: (owner) => removeConversationsOf(database, owner),
    endSkill: (owner, id, name) => endSkill(database, owner, { id, name }),
    activeNames: (owner, id) => activeNames(database, owner, id),
    beginTurn: (turn) => write((transaction) => beginTurn(transaction, turn)),
    saveAnswer: async (answer) => {
      await write((transaction) => updateAnswer(transaction, answer));
      planIndexing();
    },
    addActivation: (conversationId, messageId, activation) =>
      write((transaction) =>
        insertActivation(transaction, conversationId, { messageId, activation }),
      ),
    recover: async (isAnswered) => {
      await markInterrupted(database, isAnswered);
      await finishRemovals(database);
    },
  };
}

/** An answer that has come to its end meanwhile stays as it is. */
async function markInterrupted(
  database: Database,
  isAnswered: (conversationId: string) => Promise<boolean>,
): Promise<void> {
  const unfinished = await database
    .selectFrom('messages')
    .select(['id', 'conversation_id'])
    .where('status', '=', 'running')
    .execute();
  const left: string[] = [];
  for (const { id, conversation_id } of unfinished) {
    if (!(await isAnswered(conversation_id))) {
      left.push(id);
    }
  }
  await database
    .updateTable('messages')
    .set({ status: 'interrupted' satisfies MessageStatus })
    .where('id', 'in', oneOf(left))
    .where('status', '=', 'running')
    .execute();
}

async function updateAnswer(write: Transaction<Schema>, answer: AssistantMessage): Promise<void> {
  await write
    .updateTable('messages')
    .set({ content: answer.content, status: answer.status, details: detailsOf(answer) })
    .where('id', '=', answer.id)
    .execute();
}

async function withMessages(database: Database, row: Row): Promise<Conversation> {
  const { id } = row;
  const [messages, activations] = await Promise.all([
    database
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', id)
      .orderBy('position')
      .execute(),
    database
      .selectFrom('activations')
      .selectAll()
      .where('conversation_id', '=', id)
      .orderBy('created_at')
      .execute(),
  ]);
  return {
    ...summaryOf(row),
    messages: messages.map(messageOf),
    activeSkills: activations.map(activationOf),
    skillsOff: skillsOffOf(row),
  };
}

async function countOf(database: Database, owner: string): Promise<number> {
  const { total } = await database
    .selectFrom('conversations')
    .where('owner', '=', owner)
    .select(({ fn }) => fn.countAll<number | string | bigint>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

async function endSkill(
  database: Database,
  owner: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  if ((await rowOf(database, id))?.owner !== owner) {
    return false;
  }
  const { numDeletedRows } = await database
    .deleteFrom('activations')
    .where('conversation_id', '=', id)
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function activeNames(
  database: Database,
  owner: string,
  id: string,
): Promise<ReadonlySet<string> | undefined> {
  const rows = await database
    .selectFrom('conversations')
    .leftJoin('activations', 'activations.conversation_id', 'conversations.id')
    .select('activations.name')
    .where('conversations.id', '=', id)
    .where('conversations.owner', '=', owner)
    .execute();
  return rows.length === 0
    ? undefined
    : new Set(rows.flatMap(({ name }) => (name === null ? [] : [name])));
}

type Row = Selectable<Schema['conversations']>;

function rowOf(database: Database, id: string): Promise<Row | undefined> {
  return database.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst();
}
