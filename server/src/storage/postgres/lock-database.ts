import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { FolderInUse } from '../lock-folder.ts';
import { connectionFault } from './connection-fault.ts';
import { connectionTo } from './postgres-pool.ts';
import { shownAddress } from './shown-address.ts';

/** A database that is ours until it is given back, or until this process ends, however it ends. */
export interface DatabaseLock {
  release(): Promise<void>;
}

/** Of the advisory lock: the same for each process. */
const key = 4_935_612_808;

/** One who is just stopping is waited for. */
const tries = 5;
const pauseMs = 200;
const againMs = 1000;

/**
 * Takes the database of that address for this process alone: PostgreSQL keeps the lock for a connection of its own.
 * When that breaks, it is taken again as soon as there is another.
 *
 * @param onLost called when it is not ours any more, as the connection is broken
 * @throws FolderInUse
 */
export async function lockDatabase(url: string, onLost: () => void): Promise<DatabaseLock> {
  const closing = new AbortController();
  let client = await takeLock(url);
  if (!client) {
    throw new FolderInUse(
      `The database ${shownAddress(url)} is in use by another process of Knowhow. Stop that first, or name another database.`,
    );
  }
  const keepLock = async (held: Client) => {
    for (let lost: Client | undefined = held; lost; lost = client) {
      await ended(lost, closing.signal);
      client = undefined;
      if (!closing.signal.aborted) {
        onLost();
      }
      while (!client && !closing.signal.aborted) {
        await wait(againMs, undefined, { signal: closing.signal }).catch(() => undefined);
        client = await takeLock(url).catch(() => undefined);
      }
    }
  };
  void keepLock(client);
  return {
    release: async () => {
      closing.abort();
      await client?.end();
    },
  };
}

/** Resolves when the connection is over, or nobody needs it any more. */
function ended(client: Client, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve);
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Undefined while somebody else has it. */
async function takeLock(url: string): Promise<Client | undefined> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ ...connectionTo(url), fallback_application_name: 'knowhow lock' });
  // Its end is what counts.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (let left = tries; left > 0; left -= 1) {
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(${key}) as taken`,
      );
      if (rows[0]?.taken) {
        return client;
      }
      await wait(pauseMs);
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw connectionFault(url, error);
  }
  await client.end();
  return undefined;
}
