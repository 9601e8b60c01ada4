import { problem } from '@knowhow/shared/problem';
import { titleOf } from '@knowhow/shared/title-of';
import type { Transaction } from 'kysely';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';
import { bringBackLine, putAwayLine } from './put-away-line.ts';

interface Choice {
  /** Of the conversation. */
  id: string;
  /** Id of the user's message that the line begins with. */
  question: string;
}

/**
 * Shows another line of a conversation, and puts the one that was shown away. Nothing happens to one that is shown
 * already. Throws `not-found` where the owner has no such conversation, or it no such line.
 */
export function changeLine(database: Database, owner: string, choice: Choice): Promise<void> {
  return database.transaction().execute(async (write) => {
    const { id, question } = choice;
    const conversation = await write
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .executeTakeFirst();
    if (!conversation) {
      throw problem('not-found', 'There is no such conversation.');
    }
    if ((await placeOf(write, question)) === id) {
      return;
    }
    const line = await write
      .selectFrom('lines')
      .innerJoin('messages', (join) =>
        join
          .onRef('messages.conversation_id', '=', 'lines.id')
          .onRef('messages.position', '=', 'lines.position'),
      )
      .selectAll('lines')
      .where('lines.conversation_id', '=', id)
      .where('messages.id', '=', question)
      .executeTakeFirst();
    if (!line) {
      throw problem('not-found', 'This version is not there any more. Reload the page.');
    }
    const before = await firstQuestion(write, id);
    await putAwayLine(write, conversation, line.position);
    await bringBackLine(write, id, line);
    const after = await firstQuestion(write, id);
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

async function placeOf(write: Transaction<Schema>, question: string): Promise<string | undefined> {
  const found = await write
    .selectFrom('messages')
    .select('conversation_id')
    .where('id', '=', question)
    .executeTakeFirst();
  return found?.conversation_id;
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
