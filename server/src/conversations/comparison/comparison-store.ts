import type { UserMessage } from '@knowhow/shared/chat/conversations';
import type { Database } from '../../storage/open-database.ts';
import { messageOf } from '../conversation-rows.ts';
import { ownerOf } from '../owner-of.ts';

/** Queries for comparison answers. */
export interface BesideStore {
  /** Whether a conversation belongs to the owner, or is a branch of one that does. */
  owns(owner: string, id: string): Promise<boolean>;
  /** ID of the open comparison branch of a conversation's last answer, if any. */
  comparisonBranchOf(id: string): Promise<string | undefined>;
  /** The last question of the owner's conversation; undefined if it is a different one or not theirs. */
  findLastQuestion(
    owner: string,
    asked: { id: string; question: string },
  ): Promise<UserMessage | undefined>;
}

export function besideStore(database: Database): BesideStore {
  return {
    owns: (owner, id) => owns(database, owner, id),
    comparisonBranchOf: (id) => comparisonBranchOf(database, id),
    findLastQuestion: (owner, asked) => findLastQuestion(database, owner, asked),
  };
}

/** ID of the open comparison branch of a conversation's last answer, if any. */
export async function comparisonBranchOf(
  database: Database,
  id: string,
): Promise<string | undefined> {
  const branch = await database
    .selectFrom('lines')
    .select('id')
    .where('conversation_id', '=', id)
    .where('beside', '=', 1)
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
  const message = row && messageOf(row);
  return message?.role === 'user' && message.id === question ? message : undefined;
}

export async function owns(database: Database, owner: string, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('conversations')
    .select(['owner', 'id as conversation_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined && (await ownerOf(database, row)) === owner;
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
