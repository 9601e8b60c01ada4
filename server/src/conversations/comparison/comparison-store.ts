import type { UserMessage } from '@knowhow/shared/chat/conversations';
import type { Database } from '../../storage/open-database.ts';
import { messageOf } from '../conversation-rows.ts';
import { ownerOf } from '../owner-of.ts';

/** What is known of answers beside others. */
export interface BesideStore {
  /** Whether a conversation is the owner's, or a line of one of theirs, such as an answer beside another one. */
  owns(owner: string, id: string): Promise<boolean>;
  /** Id of the line that is shown beside the last answer of a conversation, while neither was taken. */
  comparisonBranchOf(id: string): Promise<string | undefined>;
  /** The last question of a conversation of the owner's; undefined where that is another one, or not theirs. */
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

/** Id of the line that is shown beside the last answer of a conversation, while neither was taken. */
export async function comparisonBranchOf(
  database: Database,
  id: string,
): Promise<string | undefined> {
  const line = await database
    .selectFrom('lines')
    .select('id')
    .where('conversation_id', '=', id)
    .where('beside', '=', 1)
    .executeTakeFirst();
  return line?.id;
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

/** The conversation that a line belongs to; of what is no line, itself. */
export async function findRootConversation(database: Database, id: string): Promise<string> {
  const line = await database
    .selectFrom('lines')
    .select('conversation_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return line?.conversation_id ?? id;
}
