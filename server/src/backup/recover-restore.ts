import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../lib/durable-fs.ts';
import { notWritable } from '../lib/not-writable.ts';
import { removeTemporaries } from '../lib/write-file-atomic.ts';
import type { Database } from '../storage/open-database.ts';
import { restoreFolder } from './backup-paths.ts';
import { settleRestore } from './restore.ts';
import { removeUnfinishedSnapshots } from './snapshots.ts';

interface Folders {
  database: Database;
  contentsDirectory: string;
  dataDirectory: string;
}

/** For uploads and the like, emptied at each start. */
export function temporaryFolder(dataDirectory: string): string {
  return join(dataDirectory, 'tmp');
}

/**
 * To be called at start, before the configuration and the skills are read: after a crash in the middle of
 * a restore, brings about the old state or the new one. Fails when neither can be had.
 */
export async function recoverRestore(folders: Folders): Promise<void> {
  const { dataDirectory } = folders;
  await tidyUpRestores(folders);
  await Promise.allSettled([
    removeTemporaries(dataDirectory),
    rm(temporaryFolder(dataDirectory), { recursive: true, force: true }),
  ]);
  await makeFolder(temporaryFolder(dataDirectory));
}

/** Before a restore: finishes or undoes what an earlier one has left, and removes what is left. */
export async function tidyUpRestores({
  database,
  contentsDirectory,
  dataDirectory,
}: Folders): Promise<void> {
  try {
    await settleRestore(database, dataDirectory);
  } catch (error) {
    throw notWritable(error, 'What an earlier restore was changing when it was interrupted');
  }
  // What is left keeps nobody from working.
  await Promise.allSettled([
    removeUnfinishedSnapshots(dataDirectory),
    rm(join(contentsDirectory, restoreFolder), { recursive: true, force: true }),
  ]);
}
