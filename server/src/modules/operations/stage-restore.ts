import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { isFolderPart } from './backup-paths.ts';
import { copyTree } from './copy-tree.ts';
import { getDiskPath } from './layout.ts';
import { type Exchange, planExchanges } from './plan-exchanges.ts';
import type { PlannedRestore } from './plan-restore.ts';
import { isThere, type Journal, type Move, writeJournal } from './restore-journal.ts';
import { newSnapshot, type SnapshotLocation } from './snapshots.ts';

export interface Staging extends SnapshotLocation {
  /** ID of the restore. */
  id: string;
  /** In `contents/`; contains `new/`, the source of the restore. */
  directory: string;
}

/**
 * Prepares a restore: new files are staged next to their targets, folders for old ones exist, and the journal is
 * written. Nothing of the installation has been changed yet.
 */
export async function stageRestore(planned: PlannedRestore, staging: Staging): Promise<Journal> {
  const { choice, layout, current, source } = planned;
  const { id, dataDirectory, directory } = staging;
  const snapshot = newSnapshot(staging, id);
  const folders = { id, staged: source.directory, snapshot: snapshot.unfinished };
  await makeFolder(snapshot.unfinished);
  for (const part of choice.names.filter(isFolderPart)) {
    await makeFolder(join(source.directory, 'contents', part));
  }
  const exchanges = (await planExchanges(choice, layout, folders)).filter(
    ({ path }) => !planned.kept.has(path),
  );
  const stagings = exchanges
    .filter((one) => !one.isOnSameMount || !one.isKeptByRename)
    .map((one) => one.mountStaging);
  const leftovers = [...new Set([...stagings, directory])];
  const journal: Journal = { id, moves: [], snapshot: snapshot.finished, leftovers };
  await writeJournal(dataDirectory, journal);
  await stageUntouched(planned, exchanges);
  for (const exchange of exchanges) {
    journal.moves.push(await planMove(exchange, { ...folders, directory }));
  }
  await snapshot.describe({ planned, files: current.files });
  await writeJournal(dataDirectory, journal);
  return journal;
}

interface Folders {
  staged: string;
  snapshot: string;
  directory: string;
}

async function planMove(exchange: Exchange, folders: Folders): Promise<Move> {
  const { path, target, isOnSameMount, isKeptByRename, mountStaging } = exchange;
  const source = join(folders.staged, path);
  const arrives = await isThere(source);
  const leaves = await isThere(target);
  const staged = isOnSameMount ? source : join(mountStaging, 'new', path);
  if (!isOnSameMount && arrives) {
    await copyTree(source, staged);
  }
  const localKept = join(isOnSameMount ? folders.directory : mountStaging, 'old', path);
  if (!isKeptByRename && leaves) {
    await copyTree(target, join(folders.snapshot, path));
  }
  const kept = isKeptByRename ? join(folders.snapshot, path) : localKept;
  return { target, staged, arrives, kept, leaves };
}

/** Copies secrets and files that cannot be in a backup into folders that are replaced, so that they stay. */
async function stageUntouched(
  { current, source, layout, kept }: PlannedRestore,
  exchanges: readonly Exchange[],
): Promise<void> {
  const others = [...kept].map((path) => ({ path, diskPath: getDiskPath(layout, path) }));
  for (const { path, diskPath } of [...current.secrets, ...others]) {
    if (exchanges.some((one) => path.startsWith(`${one.path}/`))) {
      const staged = join(source.directory, path);
      await rm(staged, { force: true });
      await copyTree(diskPath, staged);
    }
  }
}
