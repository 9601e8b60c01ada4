import type { Kysely } from 'kysely';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { Compaction } from './records.ts';

/** Compactions of a conversation, oldest first. */
export async function loadCompactions(
  database: Database,
  conversationId: string,
): Promise<Compaction[]> {
  const rows = await database
    .selectFrom('compactions')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    messageId: row.message_id,
    keptFrom: row.kept_from,
    cleared: { turn: row.cleared_turn, call: row.cleared_call },
    ...(row.summary === null ? {} : { summary: row.summary }),
    skills: JSON.parse(row.skills) as string[],
    at: row.created_at,
  }));
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
