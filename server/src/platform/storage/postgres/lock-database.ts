import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { ignore } from '../../lib/ignore.ts';
import { FolderInUse } from '../lock-folder.ts';
import { connectionProblem } from './connection-problem.ts';
import { connectionTo } from './postgres-pool.ts';
import { shownAddress } from './shown-address.ts';

/** A lock of the database, until it is released or this process ends, however it ends. */
export interface DatabaseLock {
  /** Whether it is exclusive; otherwise it is shared with other processes. */
  readonly isAlone: boolean;
  /** Lets other processes share the database. */
  share(): Promise<void>;
  release(): Promise<void>;
}

interface Options {
  /** Whether the lock may be shared with other processes. */
  mayShare: boolean;
  /** Called when the connection breaks and the lock is lost. */
  onLost: () => void;
}

/** Key of the advisory lock, the same in all processes. */
const key = 4_935_612_808;

/** Attempts, in case another process is just starting or stopping. */
const maxAttempts = 10;
const retryMs = 200;
const reconnectMs = 1000;

type Hold = 'alone' | 'shared';

/**
 * Locks the database at a URL: PostgreSQL holds the advisory lock for a dedicated connection. If
 * that breaks, the lock is reacquired on the next one.
 *
 * @throws FolderInUse
 */
export async function lockDatabase(
  url: string,
  { mayShare, onLost }: Options,
): Promise<DatabaseLock> {
  const closing = new AbortController();
  const taken = await takeLock(url, mayShare ? ['alone', 'shared'] : ['alone']);
  if (!taken) {
    throw new FolderInUse(
      `The database ${shownAddress(url)} is in use by another process of Knowhow. Stop that first, or name another database.`,
    );
  }
  let { hold } = taken;
  let client: Client | undefined = taken.client;
  const keepLock = async () => {
    for (let lost: Client | undefined = client; lost; lost = client) {
      await ended(lost, closing.signal);
      client = undefined;
      if (!closing.signal.aborted) {
        onLost();
      }
      while (!client && !closing.signal.aborted) {
        await wait(reconnectMs, undefined, { signal: closing.signal }).catch(() => undefined);
        client = (await takeLock(url, [hold]).catch(() => undefined))?.client;
      }
    }
  };
  keepLock().catch(ignore);
  return {
    isAlone: hold === 'alone',
    share: async () => {
      if (hold === 'alone') {
        hold = 'shared';
        await client?.query(`select ${functions.shared}(${key})`);
        await client?.query(`select pg_advisory_unlock(${key})`);
      }
    },
    release: async () => {
      closing.abort();
      await client?.end();
    },
  };
}

/** Resolves when the connection ends or is no longer needed. */
function ended(client: Client, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve);
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
}

const functions: Record<Hold, string> = {
  alone: 'pg_try_advisory_lock',
  shared: 'pg_try_advisory_lock_shared',
};

interface Taken {
  client: Client;
  hold: Hold;
}

/** Tries these modes in order; undefined if another process holds the lock. */
async function takeLock(url: string, modes: readonly Hold[]): Promise<Taken | undefined> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ ...connectionTo(url), fallback_application_name: 'knowhow lock' });
  // Only the end of the connection matters.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (let left = maxAttempts; left > 0; left -= 1) {
      // The lock of a process that has just died may linger. Then this process is alone.
      for (const hold of left === maxAttempts ? modes.slice(0, 1) : modes) {
        const { rows } = await client.query<{ taken: boolean }>(
          `select ${functions[hold]}(${key}) as taken`,
        );
        if (rows[0]?.taken) {
          return { client, hold };
        }
      }
      await wait(retryMs);
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw connectionProblem(url, error);
  }
  await client.end();
  return undefined;
}
