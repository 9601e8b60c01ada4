import type { Insertable, Transaction } from 'kysely';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

interface NewShare {
  row: Insertable<Schema['shares']>;
  /** Its messages, each as JSON. */
  frozen: readonly string[];
}

const batchSize = 100;

/**
 * Stores or replaces the copy behind a link in one transaction. False if the conversation has been deleted meanwhile.
 */
export async function storeShare(
  database: Database,
  owner: string,
  { row, frozen }: NewShare,
): Promise<boolean> {
  return database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, `share ${row.conversation_id}`);
    const conversation = await write
      .selectFrom('conversations')
      .select('id')
      .where('id', '=', row.conversation_id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (!conversation) {
      return false;
    }
    const before = await write
      .selectFrom('shares')
      .select('id')
      .where('conversation_id', '=', row.conversation_id)
      .executeTakeFirst();
    if (before?.id === row.id) {
      await write.deleteFrom('share_messages').where('share_id', '=', row.id).execute();
      await write.updateTable('shares').set(row).where('id', '=', row.id).execute();
    } else {
      // The conversation was shared concurrently, e.g. in another tab; this link replaces that one.
      await write.deleteFrom('shares').where('conversation_id', '=', row.conversation_id).execute();
      await write.insertInto('shares').values(row).execute();
    }
    await storeFiles(write, row);
    for (let at = 0; at < frozen.length; at += batchSize) {
      const batch = frozen.slice(at, at + batchSize);
      await write
        .insertInto('share_messages')
        .values(
          batch.map((content, index) => ({ share_id: row.id, position: at + index, content })),
        )
        .execute();
    }
    return true;
  });
}

/** Stores references to the conversation's files; removes those that no longer belong to the share. */
async function storeFiles(
  write: Transaction<Schema>,
  { id, conversation_id, files }: NewShare['row'],
): Promise<void> {
  const rows =
    files === 1
      ? await write
          .selectFrom('files')
          .select(['id', 'name', 'type', 'size', 'sha256'])
          .where('conversation_id', '=', conversation_id)
          .execute()
      : [];
  for (const row of rows) {
    await write
      .insertInto('share_files')
      .values({ ...row, share_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const ids = new Set(rows.map((row) => row.id));
  const before = await write
    .selectFrom('share_files')
    .select('id')
    .where('share_id', '=', id)
    .execute();
  for (const gone of before.filter((row) => !ids.has(row.id))) {
    await write
      .deleteFrom('share_files')
      .where('share_id', '=', id)
      .where('id', '=', gone.id)
      .execute();
  }
}
