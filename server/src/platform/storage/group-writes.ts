import type { Transaction } from 'kysely';
import { ignore } from '../lib/ignore.ts';
import type { Database } from './open-database.ts';
import type { Schema } from './schema.ts';

type Write = (transaction: Transaction<Schema>) => Promise<void>;

/** Resolves when the write is durable. */
export type WriteInGroup = (write: Write) => Promise<void>;

interface Job {
  write: Write;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Minimum time between two commits: writes that arrive meanwhile are batched. */
const minIntervalMs = 2;

/**
 * Batches the writes of concurrent turns into one commit: each commit waits for the disk, and with
 * fifty in a row the last one would wait for all. A single write is committed at once. A failing
 * write does not affect the others.
 */
export function groupWrites(database: Database): WriteInGroup {
  let waiting: Job[] = [];
  let scheduled = false;
  let committedAt = 0;

  const schedule = () => {
    scheduled = true;
    const wait = committedAt + minIntervalMs - performance.now();
    if (wait > 0) {
      setTimeout(commitNow, wait);
    } else {
      setImmediate(commitNow);
    }
  };
  // Each job rejects with its own error.
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
    // A disk failure affects all, and the writes may be stored: do not retry.
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
