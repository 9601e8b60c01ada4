import { problem } from '@knowhow/shared/problem';
import { usedBytes } from '../storage/memory-database.ts';
import type { Database } from '../storage/open-database.ts';
import { removeConversation } from './remove-conversation.ts';

/** What temporary conversations may take of the memory, in bytes: what is begun is refused above the first. */
export const temporaryBytes = { begun: 192 * 1024 * 1024, most: 384 * 1024 * 1024 };
const mostOfOne = 5;
const mostOfAll = 500;
/** Of all guests together: whoever begins without a cookie is another one each time. */
const mostOfGuests = 250;
/** Above it guests are refused, whoever it is that takes it: the rest is for those who are signed in. */
const bytesForGuests = temporaryBytes.begun / 2;
/** So long nobody has written in it. */
const idleMs = 2 * 60 * 60_000;
const sweepMs = 60_000;

export interface TemporaryBounds {
  /** Makes room for another one of somebody: their oldest goes. Throws `not-ready` where all together are too many. */
  admit(owner: string): Promise<void>;
  /** Throws `not-ready` where there is no room for more of somebody's in any of them. */
  checkRoom(owner: string): Promise<void>;
  close(): void;
}

/** Bounds conversations in memory in number, size and time. */
export function temporaryBounds(database: Database): TemporaryBounds {
  const timer = setInterval(() => {
    // Before the first one there is nothing, not even tables.
    if (hasBegun) {
      sweep(database, new Date(Date.now() - idleMs).toISOString()).catch(() => undefined);
    }
  }, sweepMs);
  timer.unref();
  let hasBegun = false;
  const checkRoom = async (owner: string) => {
    hasBegun = true;
    const most = isGuest(owner) ? bytesForGuests : temporaryBytes.begun;
    if ((await usedBytes(database)) > most) {
      throw full();
    }
  };
  return {
    checkRoom,
    admit: async (owner) => {
      await checkRoom(owner);
      const all = await database
        .selectFrom('conversations')
        .select(['id', 'owner'])
        .where('owner', 'not in', ['', '-'])
        .orderBy('updated_at', 'desc')
        .execute();
      const own = all.filter((row) => row.owner === owner);
      for (const { id } of own.slice(mostOfOne - 1)) {
        await removeConversation(database, owner, id);
      }
      const guests = all.filter((row) => isGuest(row.owner));
      const isFull = all.length >= mostOfAll || (isGuest(owner) && guests.length >= mostOfGuests);
      if (isFull && own.length < mostOfOne) {
        throw full();
      }
    },
    close: () => clearInterval(timer),
  };
}

function isGuest(owner: string): boolean {
  return owner.startsWith('anonymous:');
}

async function sweep(database: Database, before: string): Promise<void> {
  const idle = await database
    .selectFrom('conversations')
    .select(['id', 'owner'])
    .where('owner', '<>', '-')
    .where('updated_at', '<', before)
    .execute();
  for (const { id, owner } of idle) {
    await removeConversation(database, owner, id);
  }
  await database
    .deleteFrom('files')
    .where('message_id', 'is', null)
    .where('created_at', '<', before)
    .execute();
}

function full() {
  return problem(
    'not-ready',
    'The server has no room for more in temporary chats now. Try again in a while, or use an ordinary conversation.',
    { retryAfter: 60 },
  );
}
