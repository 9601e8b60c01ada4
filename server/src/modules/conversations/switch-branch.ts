import { createTitle } from '@knowhow/shared/chat/create-title';
import { problem } from '@knowhow/shared/problem';
import type { Selectable, Transaction } from 'kysely';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { archiveBranch, restoreBranch } from './archive-branch.ts';
import { closeComparison } from './comparison/close-comparison.ts';

interface Choice {
  /** ID of the conversation. */
  id: string;
  /** ID of a user's message in the branch. */
  question: string;
}

/**
 * Shows another branch of a conversation and archives the present one. If the branch is shown already, it only closes
 * an open comparison. Throws `not-found` if there is no such conversation or branch.
 */
export function switchBranch(database: Database, owner: string, choice: Choice): Promise<void> {
  return database.transaction().execute(async (write) => {
    const { id, question } = choice;
    await acquireTransactionLock(write, `lines ${id}`);
    const find = () => findOwn(write, owner, id);
    let conversation = await find();
    const before = await firstQuestion(write, id);
    let branch = await findBranchTo(write, id, question);
    while (branch) {
      await archiveBranch(write, conversation, branch.position);
      await restoreBranch(write, id, branch);
      conversation = await find();
      // The message may be in a nested branch.
      branch = await findBranchTo(write, id, question);
    }
    const after = await firstQuestion(write, id);
    await closeComparison(write, id);
    // A title taken from the first message follows the branch's first message.
    if (before !== after && conversation.title === createTitle(before)) {
      await write
        .updateTable('conversations')
        .set({ title: createTitle(after) })
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

/** The direct branch that contains a message, also in nested branches; undefined if the message is shown already. */
async function findBranchTo(
  write: Transaction<Schema>,
  id: string,
  message: string,
): Promise<Selectable<Schema['lines']> | undefined> {
  const { conversation_id: container } =
    (await write
      .selectFrom('messages')
      .select('conversation_id')
      .where('id', '=', message)
      .executeTakeFirst()) ?? {};
  if (container === id) {
    return undefined;
  }
  let next = container;
  while (next !== undefined) {
    const branch = await write
      .selectFrom('lines')
      .selectAll()
      .where('id', '=', next)
      .executeTakeFirst();
    if (branch?.conversation_id === id) {
      return branch;
    }
    next = branch?.conversation_id;
  }
  throw problem('not-found', 'This version no longer exists. Reload the page.');
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
