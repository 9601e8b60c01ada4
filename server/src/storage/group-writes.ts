import type { Transaction } from 'kysely';
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

/**
 * Commits what many turns write at the same time together: a commit waits for the disk, and fifty of
 * them in a row would make everyone wait. A write that fails does not take others with it.
 */
export function groupWrites(database: Database): WriteInGroup {
  let waiting: Job[] = [];
  let committing = false;

  const commitAll = async () => {
    committing = true;
    while (waiting.length > 0) {
      const jobs = waiting;
      waiting = [];
      await commit(database, jobs);
    }
    committing = false;
  };

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (!committing) {
        committing = true;
        setImmediate(() => void commitAll());
      }
    });
}

async function commit(database: Database, jobs: Job[]): Promise<void> {
  try {
    await database.transaction().execute(async (transaction) => {
      for (const { write } of jobs) {
        await write(transaction);
      }
    });
    for (const { resolve } of jobs) {
      resolve();
    }
  } catch (error) {
    const [only, ...others] = jobs;
    if (only && others.length === 0) {
      only.reject(error);
      return;
    }
    for (const job of jobs) {
      await commit(database, [job]);
    }
  }
}
