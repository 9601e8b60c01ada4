import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { ignore } from '../../lib/ignore.ts';
import { FolderInUse } from '../lock-folder.ts';
import { connectionFault } from './connection-fault.ts';
import { connectionTo } from './postgres-pool.ts';
import { shownAddress } from './shown-address.ts';

/** A database that is ours until it is given back, or until this process ends, however it ends. */
export interface DatabaseLock {
  /** Whether nobody else has it; else others share it, as this process does. */
  readonly isAlone: boolean;
  /** Lets others have it too who share it. */
  share(): Promise<void>;
  release(): Promise<void>;
}

interface Options {
  /** Whether it may be had beside others who share it. */
  mayShare: boolean;
  /** Called when it is not ours any more, as the connection is broken. */
  onLost: () => void;
}

/** Of the advisory lock: the same for each process. */
const key = 4_935_612_808;

/** One who is just starting or stopping is waited for. */
const tries = 10;
const pauseMs = 200;
const againMs = 1000;

type Hold = 'alone' | 'shared';

/**
 * Takes the database of that address: PostgreSQL keeps the lock for a connection of its own. When that breaks, it is taken
 * again as soon as there is another.
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
        await wait(againMs, undefined, { signal: closing.signal }).catch(() => undefined);
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

/** Resolves when the connection is over, or nobody needs it any more. */
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

/** In the first of these ways in which it can be had; undefined while somebody else has it. */
async function takeLock(url: string, ways: readonly Hold[]): Promise<Taken | undefined> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ ...connectionTo(url), fallback_application_name: 'knowhow lock' });
  // Its end is what counts.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (let left = tries; left > 0; left -= 1) {
      // Who has just died may seem to be there for a moment: then this one is alone.
      for (const hold of left === tries ? ways.slice(0, 1) : ways) {
        const { rows } = await client.query<{ taken: boolean }>(
          `select ${functions[hold]}(${key}) as taken`,
        );
        if (rows[0]?.taken) {
          return { client, hold };
        }
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
