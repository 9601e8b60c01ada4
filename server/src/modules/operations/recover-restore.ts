import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { removeTemporaries } from '../../platform/lib/write-file-atomic.ts';
import { toWriteProblem } from '../../platform/lib/write-problem.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { restoreFolder } from './backup-paths.ts';
import { settleRestore } from './restore.ts';
import { removeUnfinishedSnapshots } from './snapshots.ts';

interface Folders {
  database: Database;
  contentsDirectory: string;
  dataDirectory: string;
}

/** Folder for uploads and temporary files; emptied at startup. */
export function temporaryFolder(dataDirectory: string): string {
  return join(dataDirectory, 'tmp');
}

/**
 * Crash recovery; call it at startup before configuration and skills are read. Completes or rolls back an interrupted
 * restore. Throws if neither is possible.
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

/** Completes or rolls back an earlier restore and cleans up; call it before a restore. */
export async function tidyUpRestores({
  database,
  contentsDirectory,
  dataDirectory,
}: Folders): Promise<void> {
  try {
    await settleRestore(database, dataDirectory);
  } catch (error) {
    throw toWriteProblem(error, 'What an earlier restore was changing when it was interrupted');
  }
  // Leftovers are harmless, so errors are ignored.
  await Promise.allSettled([
    removeUnfinishedSnapshots(dataDirectory),
    rm(join(contentsDirectory, restoreFolder), { recursive: true, force: true }),
  ]);
}
