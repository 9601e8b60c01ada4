import { randomUUID } from 'node:crypto';
import { lstat, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSecret } from '../content/is-secret.ts';
import { errorCode } from '../lib/error-code.ts';
import { stagingFolder } from '../skill-format/skill-format.ts';
import { type FilePart, isPart, isPassing, partOf, pathOfEntry } from './backup-paths.ts';
import type { Choice } from './choose-entries.ts';
import { diskPathOf, folderOf, isTaken, type Layout } from './layout.ts';
import { isThere } from './restore-journal.ts';

/** Where a restore puts what on its way. */
export interface Folders {
  id: string;
  /** In `contents/`; holds `contents/…` as it shall become. */
  staged: string;
  /** In the data folder; will hold `contents/…` as it was. */
  snapshot: string;
}

/** One file or folder that takes the place of another by being renamed. */
export interface Exchange {
  /** In a backup. */
  path: string;
  target: string;
  /** Whether it can be renamed from the staging in `contents/`, and into the snapshot. */
  isOnSameMount: boolean;
  isKeptByRename: boolean;
  /** On the mount of the target, for what cannot. */
  mountStaging: string;
}

/**
 * What has to be exchanged. A whole folder is only exchanged where nobody watches it: readers of the
 * configuration would go on watching the one that has gone. Inside of a mount point, or behind a link,
 * it is always done entry by entry.
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
      paths.push(...(await pathsOfPart(name, layout, folders)));
    }
  }
  const exchanges: Exchange[] = [];
  for (const path of paths) {
    exchanges.push(await exchangeOf(path, layout, folders));
  }
  return exchanges;
}

async function pathsOfPart(part: FilePart, layout: Layout, folders: Folders): Promise<string[]> {
  const folder = folderOf(layout, part);
  if (part === 'skills' && (await isMovable(folder, layout, folders))) {
    return ['contents/skills'];
  }
  const path = part === 'other' ? 'contents' : `contents/${part}`;
  const names = await namesIn([folder, join(folders.staged, path)]);
  const taken = isTaken(layout);
  const paths = names
    .filter((name) => !(part === 'other' && taken(name)))
    .map((name) => `${path}/${name}`)
    .filter((one) => !isPassing(one) && !isSecret(one));
  return part === 'other' ? withoutMounts(paths, layout, folders) : paths;
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

/** Of a folder that is a mount point, what is in it. */
async function withoutMounts(paths: string[], layout: Layout, folders: Folders): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const diskPath = diskPathOf(layout, path);
    if (!(await isFolder(diskPath)) || (await isSameMount(folders.staged, diskPath))) {
      found.push(path);
      continue;
    }
    const names = await namesIn([diskPath, join(folders.staged, path)]);
    found.push(...names.map((name) => `${path}/${name}`).filter((one) => !isPassing(one)));
  }
  return found;
}

async function namesIn(folders: readonly string[]): Promise<string[]> {
  const there: string[] = [];
  for (const folder of folders) {
    there.push(...((await isThere(folder)) ? await readdir(folder) : []));
  }
  return [...new Set(there)].sort();
}

async function exchangeOf(path: string, layout: Layout, folders: Folders): Promise<Exchange> {
  const target = diskPathOf(layout, path);
  const folder = await firstThere(dirname(target));
  const part = partOf(path);
  const isInRoot = part === 'other' || path === 'contents/skills';
  const root = isInRoot || part === 'data' || !part ? folder : folderOf(layout, part);
  return {
    path,
    target,
    isOnSameMount: await isSameMount(folders.staged, folder),
    isKeptByRename: await isSameMount(folders.snapshot, folder),
    mountStaging: join(await firstThere(root), stagingFolder, folders.id),
  };
}

async function firstThere(folder: string): Promise<string> {
  return (await isThere(folder)) || dirname(folder) === folder
    ? folder
    : firstThere(dirname(folder));
}

/**
 * Whether something can be renamed from one folder into another. Devices do not show it: one may be mounted
 * in several folders. A rename of nothing fails in any case, but between mounts in another way.
 */
async function isSameMount(one: string, other: string): Promise<boolean> {
  const devices = await Promise.all([one, other].map(async (path) => (await stat(path)).dev));
  if (devices[0] !== devices[1]) {
    return false;
  }
  try {
    const nothing = `${randomUUID()}.tmp`;
    await rename(join(one, nothing), join(other, nothing));
    return true;
  } catch (error) {
    return errorCode(error) !== 'EXDEV';
  }
}
