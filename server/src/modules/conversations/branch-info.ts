import type { Message } from '@knowhow/shared/chat/conversations';
import type { Lines } from '@knowhow/shared/lines';
import { sql } from 'kysely';
import type { Database } from '../../platform/storage/open-database.ts';

/** The first message of an archived branch. */
interface FirstMessage {
  position: number;
  id: string;
  created_at: string;
  /** Whether the message shown at that position has the same content. */
  is_same: number;
}

/** Adds branch information to the message at which branches begin to differ. */
export async function withBranchInfo(
  database: Database,
  conversationId: string,
  messages: readonly (Message & { position: number })[],
): Promise<Message[]> {
  const { rows } = await sql<FirstMessage>`
    select lines.position, away.id, away.created_at, away.content = shown.content as is_same
    from lines
    join messages as away on away.conversation_id = lines.id and away.position = lines.position
    join messages as shown
      on shown.conversation_id = lines.conversation_id and shown.position = lines.position
    where lines.conversation_id = ${conversationId}`.execute(database);
  const byMessage = new Map<string, Lines>();
  for (const [index, shown] of messages.entries()) {
    const others = rows.filter(({ position }) => position === shown.position);
    if (others.length > 0) {
      const answer = messages[index + 1];
      const differs = others.every((other) => other.is_same === 1) ? answer : shown;
      byMessage.set((differs ?? shown).id, describeBranches(shown, others));
    }
  }
  return messages.map(({ position: _, ...message }) => {
    const lines = byMessage.get(message.id);
    return lines ? { ...message, lines } : message;
  });
}

/** Branches in order of creation. */
function describeBranches(shown: Message, others: readonly FirstMessage[]): Lines {
  const all = [...others, { id: shown.id, created_at: shown.createdAt }].sort(
    (one, other) => compare(one.created_at, other.created_at) || compare(one.id, other.id),
  );
  const index = all.findIndex(({ id }) => id === shown.id);
  const before = all[index - 1]?.id;
  const after = all[index + 1]?.id;
  return {
    at: index + 1,
    of: all.length,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
