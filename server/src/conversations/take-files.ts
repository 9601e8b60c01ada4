import type { SentAttachment } from '@knowhow/shared/chat/attachments';
import { type Kysely, sql } from 'kysely';
import { uuidv7 } from '../lib/uuidv7.ts';
import { inList } from '../storage/in-list.ts';
import type { Schema } from '../storage/schema.ts';

/**
 * Takes files off a message of a line that is put away, so that they can go with the one in its place. The line gets
 * rows of its own for them; contents are kept once.
 *
 * @param between ids of the line, and of the conversation
 */
export async function takeFiles(
  write: Kysely<Schema>,
  between: { from: string; to: string },
  attachments: readonly SentAttachment[],
): Promise<void> {
  if (attachments.length === 0) {
    return;
  }
  const rows = await write
    .selectFrom('files')
    .selectAll()
    .where('conversation_id', '=', between.from)
    .where('id', 'in', inList(attachments.map(({ id }) => id)))
    .execute();
  for (const row of rows) {
    const id = uuidv7();
    await write
      .insertInto('files')
      .values({ ...row, id })
      .execute();
    await write
      .updateTable('messages')
      .set({ details: sql<string>`replace(details, ${row.id}, ${id})` })
      .where('id', '=', row.message_id ?? '')
      .execute();
    await write
      .updateTable('files')
      .set({ conversation_id: between.to, message_id: null })
      .where('id', '=', row.id)
      .execute();
  }
}
