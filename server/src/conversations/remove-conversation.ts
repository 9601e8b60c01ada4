import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { oneOf } from '../storage/one-of.ts';
import type { Database } from '../storage/open-database.ts';

/** Whose a conversation is while it is being removed: it is nobody's any more. */
const nobody = '';
/** Messages that go in one statement: also the longest take few milliseconds. */
const messagesAtOnce = 20;

/**
 * Removes a conversation, however long, without holding up others. It is gone for its owner at once,
 * also when the server ends meanwhile: the next start finishes. False when there was none.
 */
export async function removeConversation(
  database: Database,
  owner: string,
  id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('conversations')
    .set({ owner: nobody })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    return false;
  }
  await removeRows(database, id);
  return true;
}

/**
 * Removes all conversations of an owner, in the same way, and files that were not sent; ends an import that runs.
 * Answers how many there were.
 */
export async function removeConversationsOf(database: Database, owner: string): Promise<number> {
  await database.deleteFrom('imports').where('owner', '=', owner).execute();
  await database
    .deleteFrom('files')
    .where('owner', '=', owner)
    .where('message_id', 'is', null)
    .execute();
  const rows = await database
    .updateTable('conversations')
    .set({ owner: nobody })
    .where('owner', '=', owner)
    .returning('id')
    .execute();
  for (const { id } of rows) {
    await removeRows(database, id);
  }
  return rows.length;
}

/** Takes conversations from their owner, for `removeDisowned`, and answers which of them were theirs. */
export async function disown(
  database: Database,
  owner: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await database
    .updateTable('conversations')
    .set({ owner: nobody })
    .where('owner', '=', owner)
    .where('id', 'in', oneOf(ids))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes what `disown` has answered; when the server ends meanwhile, the next start finishes. */
export async function removeDisowned(database: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await removeRows(database, id);
  }
}

/** Removes what is left of conversations that were being removed when the server ended, and texts that none has. */
export async function finishRemovals(database: Database): Promise<void> {
  const left = await database
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', nobody)
    .execute();
  for (const { id } of left) {
    await removeRows(database, id);
  }
  // Those of messages that were cut.
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

async function removeRows(database: Database, id: string): Promise<void> {
  const lines = await database
    .selectFrom('lines')
    .select('id')
    .where('conversation_id', '=', id)
    .execute();
  for (const line of lines) {
    await removeRows(database, line.id);
  }
  while (await removeLastMessages(database, id)) {
    await yieldToEventLoop();
  }
  await removeTexts(database, id);
  await database.deleteFrom('conversations').where('id', '=', id).execute();
}

/** Removes the texts of skills that no other conversation has. */
async function removeTexts(database: Database, id: string): Promise<void> {
  const texts = await database
    .selectFrom('activations')
    .select('text')
    .distinct()
    .where('conversation_id', '=', id)
    .execute();
  const own = texts.flatMap(({ text }) => text ?? []);
  await database
    .deleteFrom('skill_texts')
    .where('checksum', 'in', oneOf(own))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('activations')
            .select('id')
            .whereRef('text', '=', 'skill_texts.checksum')
            .where('conversation_id', '<>', id),
        ),
      ),
    )
    .execute();
}

/** False when none are left. */
async function removeLastMessages(database: Database, conversationId: string): Promise<boolean> {
  const last = await database
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .orderBy('position', 'desc')
    .limit(messagesAtOnce)
    .execute();
  const ids = last.map(({ id }) => id);
  await database.deleteFrom('messages').where('id', 'in', oneOf(ids)).execute();
  return ids.length === messagesAtOnce;
}
