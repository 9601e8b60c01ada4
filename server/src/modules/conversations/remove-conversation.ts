import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { skillTextsLock } from './activation-rows.ts';

/** Owner of a conversation that is being removed, so that no query finds it. */
const noOwner = '';
/** Batch limits per statement, so that each takes only a few milliseconds. */
const maxMessagesPerBatch = 100;
const maxCharactersPerBatch = 100_000;
/** Conversations per batch; one at a time would wait for the disk each time. */
const maxConversationsPerBatch = 100;

/**
 * Removes a conversation of any length in batches, so that others are not blocked. It is hidden immediately. If the
 * server stops meanwhile, the next start finishes. False if there was none.
 */
export async function removeConversation(
  database: Database,
  owner: string,
  id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('conversations')
    .set({ owner: noOwner })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    return false;
  }
  await removeRows(database, [id]);
  return true;
}

/**
 * Removes all conversations of an owner in the same way, as well as unsent files, and cancels a running import.
 * Returns how many there were.
 */
export async function removeAllConversations(database: Database, owner: string): Promise<number> {
  await database.deleteFrom('imports').where('owner', '=', owner).execute();
  await database
    .deleteFrom('files')
    .where('owner', '=', owner)
    .where('message_id', 'is', null)
    .execute();
  const rows = await database
    .updateTable('conversations')
    .set({ owner: noOwner })
    .where('owner', '=', owner)
    .returning('id')
    .execute();
  await removeRows(
    database,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Detaches conversations from their owner for `removeDisowned`; returns the IDs that belonged to them. */
export async function disown(
  database: Database,
  owner: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await database
    .updateTable('conversations')
    .set({ owner: noOwner })
    .where('owner', '=', owner)
    .where('id', 'in', inList(ids))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes detached conversations. If the server stops meanwhile, the next start finishes. */
export async function removeDisowned(database: Database, ids: readonly string[]): Promise<void> {
  await removeRows(database, ids);
}

/** Crash recovery: finishes pending removals and deletes unreferenced skill texts. */
export async function finishRemovals(database: Database): Promise<void> {
  const pending = await database
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', noOwner)
    .execute();
  await removeRows(
    database,
    pending.map(({ id }) => id),
  );
  // Texts of messages that were truncated away.
  await database
    .deleteFrom('skill_texts')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('activations').select('id').whereRef('text', '=', 'skill_texts.checksum'),
        ),
      ),
    )
    .execute();
}

async function removeRows(database: Database, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += maxConversationsPerBatch) {
    const batch = ids.slice(at, at + maxConversationsPerBatch);
    const branches = await database
      .selectFrom('lines')
      .select('id')
      .where('conversation_id', 'in', inList(batch))
      .execute();
    await removeRows(
      database,
      branches.map(({ id }) => id),
    );
    while (await removeMessages(database, batch)) {
      await yieldToEventLoop();
    }
    await removeUnreferencedTexts(database, batch);
    await database.deleteFrom('conversations').where('id', 'in', inList(batch)).execute();
    await yieldToEventLoop();
  }
}

/** Removes skill texts that no other conversation references. */
async function removeUnreferencedTexts(database: Database, ids: readonly string[]): Promise<void> {
  const texts = await database
    .selectFrom('activations')
    .select('text')
    .distinct()
    .where('conversation_id', 'in', inList(ids))
    .execute();
  const own = texts.flatMap(({ text }) => text ?? []);
  if (own.length === 0) {
    return;
  }
  await database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, skillTextsLock);
    await write
      .deleteFrom('skill_texts')
      .where('checksum', 'in', inList(own))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('activations')
              .select('id')
              .whereRef('text', '=', 'skill_texts.checksum')
              .where('conversation_id', 'not in', inList(ids)),
          ),
        ),
      )
      .execute();
  });
}

/** Removes a batch of the last messages; false if none are left. */
async function removeMessages(database: Database, ids: readonly string[]): Promise<boolean> {
  const last = await database
    .selectFrom('messages')
    .select(['id', ({ fn }) => fn<number>('length', ['content']).as('characters')])
    .where('conversation_id', 'in', inList(ids))
    .orderBy('conversation_id')
    .orderBy('position', 'desc')
    .limit(maxMessagesPerBatch)
    .execute();
  let characters = 0;
  const batch = last.filter((row, index) => {
    characters += row.characters;
    return index === 0 || characters <= maxCharactersPerBatch;
  });
  await database
    .deleteFrom('messages')
    .where('id', 'in', inList(batch.map(({ id }) => id)))
    .execute();
  return batch.length > 0;
}
