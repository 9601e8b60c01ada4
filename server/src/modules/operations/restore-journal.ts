import { lstat, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../../platform/lib/durable-fs.ts';
import { errorCode } from '../../platform/lib/error-code.ts';
import { writeFileAtomic } from '../../platform/lib/write-file-atomic.ts';

/** Write-ahead journal of a restore's file operations, for rolling back after a crash. */
export interface Journal {
  /** ID of the restore and of its snapshot. */
  id: string;
  moves: Move[];
  /** Folder of the snapshot; its name ends with `.new` until it is complete. */
  snapshot: string;
  /** Folders to delete afterwards, whether the restore succeeds or not. */
  leftovers: string[];
}

/** All three paths are on one mount, so that each step is an atomic rename. */
export interface Move {
  /** Path in the installation. */
  target: string;
  /** The replacement, if any. */
  staged: string;
  arrives: boolean;
  /** Destination of the old file or folder, if it exists. */
  kept: string;
  leaves: boolean;
}

const journalName = 'restore.json';

export async function readJournal(dataDirectory: string): Promise<Journal | undefined> {
  try {
    // Not validated: only this module writes it, atomically.
    return JSON.parse(await readFile(join(dataDirectory, journalName), 'utf8')) as Journal;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

export async function writeJournal(dataDirectory: string, journal: Journal): Promise<void> {
  await writeFileAtomic(join(dataDirectory, journalName), JSON.stringify(journal), 0o600);
}

export async function removeJournal(dataDirectory: string): Promise<void> {
  await rm(join(dataDirectory, journalName), { force: true });
  await syncFolder(dataDirectory);
}

/** Moves old files away and new ones into place. Synced to disk when it resolves. */
export async function makeMoves({ moves }: Journal): Promise<void> {
  for (const { target, staged, arrives, kept, leaves } of moves) {
    if (leaves) {
      await makeFolder(dirname(kept));
      await rename(target, kept);
    }
    if (arrives) {
      await makeFolder(dirname(target));
      await rename(staged, target);
    }
  }
  await syncAll(moves);
}

/** Rolls back all moves, regardless of how far `makeMoves` or an earlier rollback got. */
export async function undoMoves({ moves }: Journal): Promise<void> {
  for (const { target, staged, arrives, kept, leaves } of moves.toReversed()) {
    const hasLeft = leaves && (await isThere(kept));
    const hasArrived = arrives && (hasLeft || !leaves) && !(await isThere(staged));
    if (hasArrived && (await isThere(target))) {
      await rename(target, staged);
    }
    if (hasLeft) {
      await rename(kept, target);
    }
  }
  await syncAll(moves);
}

/** Whether a path exists. Throws if that cannot be determined. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') {
      return false;
    }
    throw error;
  }
}

async function syncAll(moves: readonly Move[]): Promise<void> {
  const folders = new Set(
    moves.flatMap(({ target, kept, leaves }) => [
      dirname(target),
      ...(leaves ? [dirname(kept)] : []),
    ]),
  );
  for (const folder of folders) {
    if (await isThere(folder)) {
      await syncFolder(folder);
    }
  }
}
