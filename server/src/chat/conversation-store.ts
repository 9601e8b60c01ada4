import type { Activation } from '@knowhow/shared/chat';
import type {
  AssistantMessage,
  Conversation,
  ConversationSummary,
  MessageStatus,
} from '@knowhow/shared/conversations';
import type { Selectable } from 'kysely';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';
import { beginTurn, insertActivation, type TurnStart } from './begin-turn.ts';
import { activationOf, detailsOf, messageOf, summaryOf } from './conversation-rows.ts';
import { type ConversationPage, type ListQuery, listConversations } from './list-conversations.ts';

/** Conversations in the database. What belongs to somebody else is not found. */
export interface ConversationStore {
  list(owner: string, query: ListQuery): Promise<ConversationPage>;
  find(owner: string, id: string): Promise<Conversation | undefined>;
  /** Whether the id is taken, by whomever. */
  exists(id: string): Promise<boolean>;
  rename(owner: string, id: string, title: string): Promise<ConversationSummary | undefined>;
  /** False when there was nothing to delete. */
  remove(owner: string, id: string): Promise<boolean>;
  /** False when the skill was not active. */
  endSkill(owner: string, id: string, name: string): Promise<boolean>;
  /** Stores all a turn begins with, at once: before the model is called. */
  beginTurn(turn: TurnStart): Promise<void>;
  /** Stores the answer so far, or, with a status other than `running`, its end. */
  saveAnswer(answer: AssistantMessage): Promise<void>;
  /** Stores a skill that came into force in the turn of the user's message `messageId`. */
  addActivation(conversationId: string, messageId: string, activation: Activation): Promise<void>;
  /** After a crash: marks the answers that were still being written. */
  markInterrupted(): Promise<void>;
}

export function createConversationStore(database: Database): ConversationStore {
  return {
    list: (owner, query) => listConversations(database, owner, query),
    find: (owner, id) => findConversation(database, owner, id),
    exists: async (id) => {
      const query = database.selectFrom('conversations').select('id').where('id', '=', id);
      return (await query.executeTakeFirst()) !== undefined;
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
    remove: async (owner, id) => {
      const query = database.deleteFrom('conversations').where('id', '=', id);
      const { numDeletedRows } = await query.where('owner', '=', owner).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    endSkill: (owner, id, name) => endSkill(database, owner, { id, name }),
    beginTurn: (turn) => database.transaction().execute((write) => beginTurn(write, turn)),
    saveAnswer: async (answer) => {
      await database
        .updateTable('messages')
        .set({ content: answer.content, status: answer.status, details: detailsOf(answer) })
        .where('id', '=', answer.id)
        .execute();
    },
    addActivation: (conversationId, messageId, activation) =>
      insertActivation(database, { conversationId, messageId, activation }),
    markInterrupted: async () => {
      await database
        .updateTable('messages')
        .set({ status: 'interrupted' satisfies MessageStatus })
        .where('status', '=', 'running')
        .execute();
    },
  };
}

async function findConversation(
  database: Database,
  owner: string,
  id: string,
): Promise<Conversation | undefined> {
  const row = await ownRow(database, owner, id);
  if (!row) {
    return undefined;
  }
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
  };
}

async function endSkill(
  database: Database,
  owner: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  if ((await ownRow(database, owner, id)) === undefined) {
    return false;
  }
  const { numDeletedRows } = await database
    .deleteFrom('activations')
    .where('conversation_id', '=', id)
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function ownRow(
  database: Database,
  owner: string,
  id: string,
): Promise<Selectable<Schema['conversations']> | undefined> {
  return database
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
}
