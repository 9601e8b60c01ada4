import { randomUUID } from 'node:crypto';
import { lstat, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stagingFolder } from '@knowhow/shared/skills/clutter-names';
import { errorCode } from '../../platform/lib/error-code.ts';
import { isSecret } from '../content/index.ts';
import { type FilePart, getPart, isIgnoredPath, isPart, pathOfEntry } from './backup-paths.ts';
import type { Choice } from './choose-entries.ts';
import { getDiskPath, getPartFolder, isReservedName, type Layout } from './layout.ts';
import { isThere } from './restore-journal.ts';

/** Folders used during a restore. */
export interface Folders {
  id: string;
  /** In `contents/`; contains the new `contents/…`. */
  staged: string;
  /** In the data folder; will contain the old `contents/…`. */
  snapshot: string;
}

/** A file or folder that replaces another by renaming. */
export interface Exchange {
  /** Its path in a backup. */
  path: string;
  target: string;
  /** Whether it can be renamed from the staging folder in `contents/`, and into the snapshot. */
  isOnSameMount: boolean;
  isKeptByRename: boolean;
  /** Staging folder on the target's mount, if it cannot be renamed directly. */
  mountStaging: string;
}

/**
 * Plans the renames of a restore. A whole folder is only exchanged if it is not watched, because file watchers would
 * keep watching the old one. At mount points and behind links, entries are always exchanged one by one.
 */
export async function planExchanges(
  choice: Choice,
  layout: Layout,
  folders: Folders,
): Promise<Exchange[]> {
  const paths: string[] = [];
  for (const name of choice.names) {
    if (!isPart(name)) {
      paths.push(pathOfEntry(name));
    } else if (name !== 'data') {
      paths.push(...(await getPartPaths(name, layout, folders)));
    }
  }
  const exchanges: Exchange[] = [];
  for (const path of paths) {
    exchanges.push(await planExchange(path, layout, folders));
  }
  return exchanges;
}

async function getPartPaths(part: FilePart, layout: Layout, folders: Folders): Promise<string[]> {
  const folder = getPartFolder(layout, part);
  if (part === 'skills' && (await isMovable(folder, layout, folders))) {
    return ['contents/skills'];
  }
  const path = part === 'other' ? 'contents' : `contents/${part}`;
  const names = await listNames([folder, join(folders.staged, path)]);
  const taken = isReservedName(layout);
  const paths = names
    .filter((name) => !(part === 'other' && taken(name)))
    .map((name) => `${path}/${name}`)
    .filter((one) => !isIgnoredPath(one) && !isSecret(one));
  return part === 'other' ? expandMounts(paths, layout, folders) : paths;
}

async function isMovable(folder: string, layout: Layout, { staged }: Folders): Promise<boolean> {
  if (dirname(folder) !== layout.contentsDirectory) {
    return false;
  }
  return (
    !(await isThere(folder)) || ((await isFolder(folder)) && (await isSameMount(staged, folder)))
  );
}

async function isFolder(path: string): Promise<boolean> {
  return (await isThere(path)) && (await lstat(path)).isDirectory();
}

/** Replaces folders that are mount points by their entries. */
async function expandMounts(paths: string[], layout: Layout, folders: Folders): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const diskPath = getDiskPath(layout, path);
    if (!(await isFolder(diskPath)) || (await isSameMount(folders.staged, diskPath))) {
      found.push(path);
      continue;
    }
    const names = await listNames([diskPath, join(folders.staged, path)]);
    found.push(...names.map((name) => `${path}/${name}`).filter((one) => !isIgnoredPath(one)));
  }
  return found;
}

async function listNames(folders: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const folder of folders) {
    names.push(...((await isThere(folder)) ? await readdir(folder) : []));
  }
  return [...new Set(names)].sort();
}

async function planExchange(path: string, layout: Layout, folders: Folders): Promise<Exchange> {
  const target = getDiskPath(layout, path);
  const folder = await findExistingParent(dirname(target));
  const part = getPart(path);
  const isInRoot = part === 'other' || path === 'contents/skills';
  const root = isInRoot || part === 'data' || !part ? folder : getPartFolder(layout, part);
  return {
    path,
    target,
    isOnSameMount: await isSameMount(folders.staged, folder),
    isKeptByRename: await isSameMount(folders.snapshot, folder),
    mountStaging: join(await findExistingParent(root), stagingFolder, folders.id),
  };
}

async function findExistingParent(folder: string): Promise<string> {
  return (await isThere(folder)) || dirname(folder) === folder
    ? folder
    : findExistingParent(dirname(folder));
}

/**
 * Whether files can be renamed from one folder to another. Comparing devices is not sufficient, because one may be
 * mounted several times. Renaming a missing file always fails, but with `EXDEV` between mounts.
 */
async function isSameMount(one: string, other: string): Promise<boolean> {
  const devices = await Promise.all([one, other].map(async (path) => (await stat(path)).dev));
  if (devices[0] !== devices[1]) {
    return false;
  }
  try {
    const missing = `${randomUUID()}.tmp`;
    await rename(join(one, missing), join(other, missing));
    return true;
  } catch (error) {
    return errorCode(error) !== 'EXDEV';
  }
}
