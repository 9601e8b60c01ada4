import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../lib/durable-fs.ts';
import { isFolderPart } from './backup-paths.ts';
import { copyTree } from './copy-tree.ts';
import { diskPathOf } from './layout.ts';
import { type Exchange, planExchanges } from './plan-moves.ts';
import type { PlannedRestore } from './plan-restore.ts';
import { isThere, type Journal, type Move, writeJournal } from './restore-journal.ts';
import { newSnapshot, type SnapshotsPlace } from './snapshots.ts';

export interface Staging extends SnapshotsPlace {
  /** Of the restore. */
  id: string;
  /** In `contents/`: holds `new/`, which is the restore's source. */
  directory: string;
}

/**
 * Makes everything ready for a restore: what comes is beside its target, what goes has a
 * folder to be kept in, and the journal says so. Nothing of the state has been touched then.
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
  await keepWhatStays(planned, exchanges);
  for (const exchange of exchanges) {
    journal.moves.push(await moveOf(exchange, { ...folders, directory }));
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

async function moveOf(exchange: Exchange, folders: Folders): Promise<Move> {
  const { path, target, isOnSameMount, isKeptByRename, mountStaging } = exchange;
  const arriving = join(folders.staged, path);
  const arrives = await isThere(arriving);
  const leaves = await isThere(target);
  const staged = isOnSameMount ? arriving : join(mountStaging, 'new', path);
  if (!isOnSameMount && arrives) {
    await copyTree(arriving, staged);
  }
  const keptHere = join(isOnSameMount ? folders.directory : mountStaging, 'old', path);
  if (!isKeptByRename && leaves) {
    await copyTree(target, join(folders.snapshot, path));
  }
  const kept = isKeptByRename ? join(folders.snapshot, path) : keptHere;
  return { target, staged, arrives, kept, leaves };
}

/** Keys, and what cannot be in a backup, stay where they are, also in a folder that is replaced. */
async function keepWhatStays(
  { current, source, layout, kept }: PlannedRestore,
  exchanges: readonly Exchange[],
): Promise<void> {
  const others = [...kept].map((path) => ({ path, diskPath: diskPathOf(layout, path) }));
  for (const { path, diskPath } of [...current.secrets, ...others]) {
    if (exchanges.some((one) => path.startsWith(`${one.path}/`))) {
      const staged = join(source.directory, path);
      await rm(staged, { force: true });
      await copyTree(diskPath, staged);
    }
  }
}
