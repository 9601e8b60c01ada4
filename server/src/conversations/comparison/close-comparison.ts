import type { Transaction } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import { bytesOf } from '../archive-branch.ts';

/** Makes what is shown beside an answer a line like any other: its conversation goes on, or one of both was taken. */
export async function closeComparison(write: Transaction<Schema>, id: string): Promise<void> {
  const lines = await write
    .selectFrom('lines')
    .select('id')
    .where('conversation_id', '=', id)
    .where('beside', '=', 1)
    .execute();
  for (const line of lines) {
    const messages = await write
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', line.id)
      .execute();
    const bytes = await bytesOf(
      write,
      messages.map((message) => message.id),
    );
    await write.updateTable('lines').set({ beside: 0, bytes }).where('id', '=', line.id).execute();
  }
}
