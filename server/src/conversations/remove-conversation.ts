import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { acquireTransactionLock } from '../storage/acquire-transaction-lock.ts';
import { inList } from '../storage/in-list.ts';
import type { Database } from '../storage/open-database.ts';
import { textsOfSkills } from './activation-rows.ts';

/** Whose a conversation is while it is being removed: it is nobody's any more. */
const nobody = '';
/** What goes in one statement: also the longest messages take few milliseconds. */
const messagesAtOnce = 100;
const charactersAtOnce = 100_000;
/** So many conversations go together: each by itself would wait for the disk. */
const conversationsAtOnce = 100;

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
  await removeRows(database, [id]);
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
  await removeRows(
    database,
    rows.map(({ id }) => id),
  );
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
    .where('id', 'in', inList(ids))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes what `disown` has answered; when the server ends meanwhile, the next start finishes. */
export async function removeDisowned(database: Database, ids: readonly string[]): Promise<void> {
  await removeRows(database, ids);
}

/** Removes what is left of conversations that were being removed when the server ended, and texts that none has. */
export async function finishRemovals(database: Database): Promise<void> {
  const left = await database
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', nobody)
    .execute();
  await removeRows(
    database,
    left.map(({ id }) => id),
  );
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

async function removeRows(database: Database, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += conversationsAtOnce) {
    const some = ids.slice(at, at + conversationsAtOnce);
    const lines = await database
      .selectFrom('lines')
      .select('id')
      .where('conversation_id', 'in', inList(some))
      .execute();
    await removeRows(
      database,
      lines.map(({ id }) => id),
    );
    while (await removeMessages(database, some)) {
      await yieldToEventLoop();
    }
    await removeTexts(database, some);
    await database.deleteFrom('conversations').where('id', 'in', inList(some)).execute();
    await yieldToEventLoop();
  }
}

/** Removes the texts of skills that no other conversation has. */
async function removeTexts(database: Database, ids: readonly string[]): Promise<void> {
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
    await acquireTransactionLock(write, textsOfSkills);
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

/** Removes some of the last messages; false when none are left. */
async function removeMessages(database: Database, ids: readonly string[]): Promise<boolean> {
  const last = await database
    .selectFrom('messages')
    .select(['id', ({ fn }) => fn<number>('length', ['content']).as('characters')])
    .where('conversation_id', 'in', inList(ids))
    .orderBy('conversation_id')
    .orderBy('position', 'desc')
    .limit(messagesAtOnce)
    .execute();
  let characters = 0;
  const some = last.filter((row, index) => {
    characters += row.characters;
    return index === 0 || characters <= charactersAtOnce;
  });
  await database
    .deleteFrom('messages')
    .where('id', 'in', inList(some.map(({ id }) => id)))
    .execute();
  return some.length > 0;
}
