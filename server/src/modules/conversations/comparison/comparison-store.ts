import type { UserMessage } from '@knowhow/shared/chat/conversations';
import type { Database } from '../../../platform/storage/open-database.ts';
import { toMessage } from '../conversation-rows.ts';
import { findOwner } from '../find-owner.ts';

/** Queries for comparison answers. */
export interface ComparisonStore {
  /** Whether a conversation belongs to the owner, or is a branch of one that does. */
  owns(owner: string, id: string): Promise<boolean>;
  /** ID of the open comparison branch of a conversation's last answer, if any. */
  findComparisonBranch(id: string): Promise<string | undefined>;
  /** The last question of the owner's conversation; undefined if it is a different one or not theirs. */
  findLastQuestion(
    owner: string,
    asked: { id: string; question: string },
  ): Promise<UserMessage | undefined>;
}

export function createComparisonStore(database: Database): ComparisonStore {
  return {
    owns: (owner, id) => owns(database, owner, id),
    findComparisonBranch: (id) => findComparisonBranch(database, id),
    findLastQuestion: (owner, asked) => findLastQuestion(database, owner, asked),
  };
}

/** ID of the open comparison branch of a conversation's last answer, if any. */
export async function findComparisonBranch(
  database: Database,
  id: string,
): Promise<string | undefined> {
  const branch = await database
    .selectFrom('lines')
    .select('id')
    .where('conversation_id', '=', id)
    .where('is_comparison', '=', 1)
    .executeTakeFirst();
  return branch?.id;
}

async function findLastQuestion(
  database: Database,
  owner: string,
  { id, question }: { id: string; question: string },
): Promise<UserMessage | undefined> {
  const row = await database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .selectAll('messages')
    .where('conversations.id', '=', id)
    .where('conversations.owner', '=', owner)
    .where('messages.role', '=', 'user')
    .orderBy('messages.position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const message = row && toMessage(row);
  return message?.role === 'user' && message.id === question ? message : undefined;
}

export async function owns(database: Database, owner: string, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('conversations')
    .select(['owner', 'id as conversation_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined && (await findOwner(database, row)) === owner;
}

/** The conversation that a branch belongs to; for any other conversation, itself. */
export async function findRootConversation(database: Database, id: string): Promise<string> {
  const branch = await database
    .selectFrom('lines')
    .select('conversation_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return branch?.conversation_id ?? id;
}
