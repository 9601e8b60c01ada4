import type { SentAttachment } from '@knowhow/shared/chat/attachments';
import { type Kysely, sql } from 'kysely';
import { uuidv7 } from '../../platform/lib/uuidv7.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Schema } from '../../platform/storage/schema.ts';

/**
 * Moves files from a message of an archived branch, so that they can be attached to its replacement. The branch gets
 * new rows for them; the contents are stored once.
 *
 * @param between IDs of the branch and of the conversation
 */
export async function moveFiles(
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
