import { titleOf } from '@knowhow/shared/chat/title-of';
import { problem } from '@knowhow/shared/problem';
import type { Selectable, Transaction } from 'kysely';
import { acquireTransactionLock } from '../storage/acquire-transaction-lock.ts';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';
import { archiveBranch, restoreBranch } from './archive-branch.ts';
import { closeComparison } from './comparison/close-comparison.ts';

interface Choice {
  /** Of the conversation. */
  id: string;
  /** Id of the user's message that the line begins with, or of any other in it. */
  question: string;
}

/**
 * Shows another line of a conversation, and puts the one that was shown away. One that is shown already stays, and is
 * taken where another one is beside it. Throws `not-found` where the owner has no such conversation, or it no such line.
 */
export function switchBranch(database: Database, owner: string, choice: Choice): Promise<void> {
  return database.transaction().execute(async (write) => {
    const { id, question } = choice;
    await acquireTransactionLock(write, `lines ${id}`);
    const find = () => findOwn(write, owner, id);
    let conversation = await find();
    const before = await firstQuestion(write, id);
    let line = await lineTo(write, id, question);
    while (line) {
      await archiveBranch(write, conversation, line.position);
      await restoreBranch(write, id, line);
      conversation = await find();
      // It may be in a line of that line.
      line = await lineTo(write, id, question);
    }
    const after = await firstQuestion(write, id);
    await closeComparison(write, id);
    // One that the first message has named goes by that of this line.
    if (before !== after && conversation.title === titleOf(before)) {
      await write
        .updateTable('conversations')
        .set({ title: titleOf(after) })
        .where('id', '=', id)
        .execute();
    }
  });
}

async function findOwn(
  write: Transaction<Schema>,
  owner: string,
  id: string,
): Promise<Selectable<Schema['conversations']>> {
  const conversation = await write
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (!conversation) {
    throw problem('not-found', 'There is no such conversation.');
  }
  return conversation;
}

/** The line at a conversation that has a message, or has the line that has it; undefined where it is shown. */
async function lineTo(
  write: Transaction<Schema>,
  id: string,
  message: string,
): Promise<Selectable<Schema['lines']> | undefined> {
  const { conversation_id: holder } =
    (await write
      .selectFrom('messages')
      .select('conversation_id')
      .where('id', '=', message)
      .executeTakeFirst()) ?? {};
  if (holder === id) {
    return undefined;
  }
  let next = holder;
  while (next !== undefined) {
    const line = await write
      .selectFrom('lines')
      .selectAll()
      .where('id', '=', next)
      .executeTakeFirst();
    if (line?.conversation_id === id) {
      return line;
    }
    next = line?.conversation_id;
  }
  throw problem('not-found', 'This version is not there any more. Reload the page.');
}

async function firstQuestion(write: Transaction<Schema>, id: string): Promise<string> {
  const { content } = await write
    .selectFrom('messages')
    .select('content')
    .where('conversation_id', '=', id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirstOrThrow();
  return content;
}
