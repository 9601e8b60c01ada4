import { lstat, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../lib/durable-fs.ts';
import { errorCode } from '../lib/error-code.ts';
import { writeFileAtomic } from '../lib/write-file-atomic.ts';

/** What a restore does to files, written down before it begins: so it can be undone after a crash. */
export interface Journal {
  /** Of the restore, and of the snapshot that it leaves. */
  id: string;
  moves: Move[];
  /** The folder of the snapshot; while it is made, its name ends with `.new`. */
  snapshot: string;
  /** Folders that are of no use any more afterwards, however it ends. */
  leftovers: string[];
}

/** All three paths are on one mount, so that each step is a single rename. */
export interface Move {
  /** A file or folder of the state. */
  target: string;
  /** What replaces it, if anything does. */
  staged: string;
  arrives: boolean;
  /** Where it goes, if there is anything. */
  kept: string;
  leaves: boolean;
}

const journalName = 'restore.json';

export async function readJournal(dataDirectory: string): Promise<Journal | undefined> {
  try {
    // Nobody else writes it, and only whole.
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

/** Puts everything new in its place. Down to the disk when it resolves. */
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

/** Puts everything back, however far `makeMoves` has come, or this itself before a crash. */
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

/** Whether there is anything of that name. Throws when that is unknown. */
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
