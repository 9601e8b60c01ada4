import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Schema } from '../../platform/storage/schema.ts';
import type { Compaction } from './records.ts';

/** Compactions of the selected conversation, oldest first, with the position of the message of their turn. */
export function selectCompactions(eb: ExpressionBuilder<Schema, 'conversations'>) {
  return eb
    .selectFrom('compactions')
    .leftJoin('messages', (join) =>
      join
        .onRef('messages.id', '=', 'compactions.message_id')
        .onRef('messages.conversation_id', '=', 'compactions.conversation_id'),
    )
    .select(['compactions.id', 'compactions.message_id', 'compactions.kept_from'])
    .select(['compactions.cleared_turn', 'compactions.cleared_call', 'compactions.summary'])
    .select(['compactions.skills', 'compactions.created_at', 'messages.position'])
    .whereRef('compactions.conversation_id', '=', 'conversations.id')
    .orderBy('compactions.created_at');
}

export function toCompaction(row: Omit<Schema['compactions'], 'conversation_id'>): Compaction {
  return {
    id: row.id,
    messageId: row.message_id,
    keptFrom: row.kept_from,
    cleared: { turn: row.cleared_turn, call: row.cleared_call },
    ...(row.summary === null ? {} : { summary: row.summary }),
    skills: JSON.parse(row.skills) as string[],
    at: row.created_at,
  };
}

export async function insertCompaction(
  write: Kysely<Schema>,
  conversationId: string,
  { id, messageId, keptFrom, cleared, summary, skills, at }: Compaction,
): Promise<void> {
  await write
    .insertInto('compactions')
    .values({
      id,
      conversation_id: conversationId,
      message_id: messageId,
      kept_from: keptFrom,
      cleared_turn: cleared.turn,
      cleared_call: cleared.call,
      summary: summary ?? null,
      skills: JSON.stringify(skills),
      created_at: at,
    })
    .execute();
}
