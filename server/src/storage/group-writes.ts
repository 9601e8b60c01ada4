import type { Transaction } from 'kysely';
import { ignore } from '../lib/ignore.ts';
import type { Database } from './open-database.ts';
import type { Schema } from './schema.ts';

type Write = (transaction: Transaction<Schema>) => Promise<void>;

/** Resolves when the write is on the disk. */
export type WriteInGroup = (write: Write) => Promise<void>;

interface Job {
  write: Write;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Least time from one commit to the next: those that come meanwhile go together. */
const pauseMs = 2;

/**
 * Commits what many turns write at the same time together: a commit has its price and waits for the disk,
 * and with fifty of them in a row the last would wait for all. One that comes alone is committed at once. A
 * write that fails does not take others with it.
 */
export function groupWrites(database: Database): WriteInGroup {
  let waiting: Job[] = [];
  let scheduled = false;
  let committedAt = 0;

  const schedule = () => {
    scheduled = true;
    const wait = committedAt + pauseMs - performance.now();
    if (wait > 0) {
      setTimeout(commitNow, wait);
    } else {
      setImmediate(commitNow);
    }
  };
  // Each job hears of its own failure.
  const commitNow = () => {
    commitWaiting().catch(ignore);
  };
  const commitWaiting = async () => {
    const jobs = waiting;
    waiting = [];
    await commit(database, jobs);
    committedAt = performance.now();
    scheduled = false;
    if (waiting.length > 0) {
      schedule();
    }
  };

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (!scheduled) {
        schedule();
      }
    });
}

async function commit(database: Database, jobs: Job[]): Promise<void> {
  let hasWritten = false;
  try {
    await database.transaction().execute(async (transaction) => {
      for (const { write } of jobs) {
        await write(transaction);
      }
      hasWritten = true;
    });
    for (const { resolve } of jobs) {
      resolve();
    }
  } catch (error) {
    // The disk's failure is that of all, and what has been written may be there: once is enough.
    if (hasWritten || jobs.length === 1) {
      for (const { reject } of jobs) {
        reject(error);
      }
      return;
    }
    for (const job of jobs) {
      await commit(database, [job]);
    }
  }
}
