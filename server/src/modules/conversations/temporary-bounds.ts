import { problem } from '@knowhow/shared/problem';
import { usedBytes } from '../../platform/storage/memory-database.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { removeConversation } from './remove-conversation.ts';

/**
 * Memory limits of temporary conversations in bytes: above `begun`, new content is rejected; `maxBytes` is the hard
 * limit.
 */
export const temporaryBytes = { begun: 192 * 1024 * 1024, most: 384 * 1024 * 1024 };
const maxPerUser = 5;
const maxTotal = 500;
/** Maximum of all guests together, because a client without cookies is a new guest each time. */
const maxGuests = 250;
/** Above this usage, guests are rejected; the rest is reserved for signed-in users. */
const guestBytes = temporaryBytes.begun / 2;
/** Inactivity after which a conversation is deleted. */
const idleMs = 2 * 60 * 60_000;
const sweepMs = 60_000;

export interface TemporaryBounds {
  /**
   * Admits another conversation and evicts the owner's oldest if they have too many. Throws `not-ready` if there are
   * too many in total.
   */
  admit(owner: string): Promise<void>;
  /** Throws `not-ready` if there is no memory for more content of this owner. */
  assertCapacity(owner: string): Promise<void>;
  close(): void;
}

/** Limits in-memory conversations by number, size and age. */
export function temporaryBounds(database: Database): TemporaryBounds {
  const timer = setInterval(() => {
    // Before first use, the in-memory database has no tables.
    if (isUsed) {
      sweep(database, new Date(Date.now() - idleMs).toISOString()).catch(() => undefined);
    }
  }, sweepMs);
  timer.unref();
  let isUsed = false;
  const assertCapacity = async (owner: string) => {
    isUsed = true;
    const maxBytes = isGuest(owner) ? guestBytes : temporaryBytes.begun;
    if ((await usedBytes(database)) > maxBytes) {
      throw full();
    }
  };
  return {
    assertCapacity,
    admit: async (owner) => {
      await assertCapacity(owner);
      const all = await database
        .selectFrom('conversations')
        .select(['id', 'owner'])
        .where('owner', 'not in', ['', '-'])
        .orderBy('updated_at', 'desc')
        .execute();
      const own = all.filter((row) => row.owner === owner);
      for (const { id } of own.slice(maxPerUser - 1)) {
        await removeConversation(database, owner, id);
      }
      const guests = all.filter((row) => isGuest(row.owner));
      const isFull = all.length >= maxTotal || (isGuest(owner) && guests.length >= maxGuests);
      if (isFull && own.length < maxPerUser) {
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
    'The server has no memory left for temporary chats. Try again later, or use a regular conversation.',
    { retryAfter: 60 },
  );
}
