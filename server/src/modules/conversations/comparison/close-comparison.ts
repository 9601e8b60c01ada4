import type { Transaction } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import { estimateBytes } from '../archive-branch.ts';

/**
 * Turns the comparison branch into an ordinary archived branch, because the conversation continues or one answer was
 * chosen.
 */
export async function closeComparison(write: Transaction<Schema>, id: string): Promise<void> {
  const branches = await write
    .selectFrom('lines')
    .select('id')
    .where('conversation_id', '=', id)
    .where('is_comparison', '=', 1)
    .execute();
  for (const branch of branches) {
    const messages = await write
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', branch.id)
      .execute();
    const bytes = await estimateBytes(
      write,
      messages.map((message) => message.id),
    );
    await write
      .updateTable('lines')
      .set({ is_comparison: 0, bytes })
      .where('id', '=', branch.id)
      .execute();
  }
}
