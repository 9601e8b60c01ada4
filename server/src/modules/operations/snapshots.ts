import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import { makeFolder, syncFolder } from '../../platform/lib/durable-fs.ts';
import { errorCode } from '../../platform/lib/error-code.ts';
import { writeFileAtomic } from '../../platform/lib/write-file-atomic.ts';
import type { TreeFile } from './list-tree.ts';
import type { PlannedRestore } from './plan-restore.ts';

// A snapshot is a folder in the data folder. It contains what a restore has replaced, laid out like a backup
// (`contents/…`, `data/…`), and a description.

export interface SnapshotLocation {
  dataDirectory: string;
  /** Name of the user who restores. */
  by: string;
  /** The schema version of the database. */
  migration: string;
}

/** Content of `snapshot.json`. */
interface Description extends Snapshot {
  /** Latest migration of the exported tables; missing in earlier versions. */
  migration?: string;
}

export interface FoundSnapshot {
  snapshot: Snapshot;
  migration: string | undefined;
  folder: string;
}

const maxSnapshots = 5;
const descriptionName = 'snapshot.json';

/** IDs sort by time; a new one sorts last even if the clock was set back. */
export async function newSnapshotId(dataDirectory: string): Promise<string> {
  const [newest] = await listSnapshots(dataDirectory);
  const now = timeDigits(new Date());
  const time = newest && newest.id >= now ? String(BigInt(newest.id.slice(0, 17)) + 1n) : now;
  return `${time}-${randomBytes(3).toString('hex')}`;
}

function timeDigits(time: Date): string {
  return time.toISOString().replace(/\D/g, '').slice(0, 17);
}

/** Paths of a new snapshot, while it is created and once it is complete. */
export function newSnapshot({ dataDirectory, by, migration }: SnapshotLocation, id: string) {
  const finished = join(snapshotsFolder(dataDirectory), id);
  const unfinished = `${finished}.new`;
  return {
    finished,
    unfinished,
    describe: async (state: { planned: PlannedRestore; files: ReadonlyMap<string, TreeFile> }) => {
      const { choice } = state.planned;
      const files = [...state.files.values()].filter(({ path }) => choice.covers(path));
      const description: Description = {
        id,
        at: new Date().toISOString(),
        by,
        parts: [...choice.names],
        files: files.length,
        bytes: files.reduce((sum, { size }) => sum + size, 0),
        migration,
      };
      await writeFileAtomic(join(unfinished, descriptionName), JSON.stringify(description), 0o600);
    },
  };
}

/** Renames a complete snapshot to its final name, if not done yet. */
export async function finishSnapshot(folder: string): Promise<void> {
  try {
    await rename(`${folder}.new`, folder);
    await syncFolder(join(folder, '..'));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      throw error;
    }
  }
}

/** Newest first. */
export async function listSnapshots(dataDirectory: string): Promise<Snapshot[]> {
  const folder = snapshotsFolder(dataDirectory);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.filter(isSnapshotId).map((name) => readSnapshot(join(folder, name))),
  );
  return found
    .flatMap((one) => one?.snapshot ?? [])
    .sort((one, other) => (one.id > other.id ? -1 : 1));
}

/** Throws `not-found`. */
export async function findSnapshot(dataDirectory: string, id: string): Promise<FoundSnapshot> {
  const folder = join(snapshotsFolder(dataDirectory), id);
  const found = isSnapshotId(id) ? await readSnapshot(folder) : undefined;
  if (!found) {
    throw problem('not-found', `There is no snapshot "${id}". Reload the list.`);
  }
  return { ...found, folder };
}

/** Throws `not-found`. */
export async function removeSnapshot(dataDirectory: string, id: string): Promise<void> {
  const { folder } = await findSnapshot(dataDirectory, id);
  // After the rename it no longer counts as a snapshot, even if deletion takes long or fails.
  await rename(folder, `${folder}.new`);
  await rm(`${folder}.new`, { recursive: true, force: true });
}

export async function removeOldSnapshots(dataDirectory: string): Promise<void> {
  for (const { id } of (await listSnapshots(dataDirectory)).slice(maxSnapshots)) {
    await removeSnapshot(dataDirectory, id);
  }
}

/** Removes snapshots that were never completed. */
export async function removeUnfinishedSnapshots(dataDirectory: string): Promise<void> {
  const folder = snapshotsFolder(dataDirectory);
  await makeFolder(folder);
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.new'))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

function snapshotsFolder(dataDirectory: string): string {
  return join(dataDirectory, 'snapshots');
}

function isSnapshotId(name: string): boolean {
  return /^\d{17}-[0-9a-f]{6}$/.test(name);
}

async function readSnapshot(folder: string): Promise<Omit<FoundSnapshot, 'folder'> | undefined> {
  try {
    const text = await readFile(join(folder, descriptionName), 'utf8');
    // Not validated: only this module writes it, atomically.
    const { migration, ...snapshot } = JSON.parse(text) as Description;
    return { snapshot, migration };
  } catch {
    return undefined;
  }
}
