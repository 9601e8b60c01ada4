import type { Transaction } from 'kysely';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { belongsTo } from './comparison/belongs-to.ts';
import { namesColumn } from './conversation-rows.ts';

/** The result of a tool call, as sent to the model. */
export interface CallResult {
  content: string;
  isError: boolean;
  /** Milliseconds. */
  ms: number;
}

/** Finds a tool call's result by its number in an answer of the owner. */
export async function findCall(
  database: Database,
  owner: string,
  { messageId, number }: { messageId: string; number: number },
): Promise<CallResult | undefined> {
  const row = await database
    .selectFrom('tool_results')
    .innerJoin('conversations', 'conversations.id', 'tool_results.conversation_id')
    .select(['tool_results.content', 'tool_results.is_error', 'tool_results.ms'])
    .where('tool_results.message_id', '=', messageId)
    .where('tool_results.number', '=', number)
    .where(belongsTo(owner))
    .executeTakeFirst();
  return row && { content: row.content, isError: row.is_error === 1, ms: row.ms };
}

/** Stores which tools a conversation was offered. */
export async function saveOfferedTools(
  write: Transaction<Schema>,
  conversationId: string,
  tools: readonly string[],
): Promise<void> {
  await write
    .updateTable('conversations')
    .set({ tools: namesColumn(tools) })
    .where('id', '=', conversationId)
    .execute();
}
