import type { Dirent, Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isSkippedName } from '@knowhow/skill-format';
import { pacedLstat, pacedLstatIfAny, pacedStat } from '../../../platform/lib/paced-fs.ts';
import { resolveInside } from '../../../platform/lib/resolve-inside.ts';

/** An entry of a folder. */
export interface FolderEntry {
  name: string;
  isLink: boolean;
  isFolder: boolean;
}

/** Identifies a file or folder, and shows whether its content has changed. */
export type EntryState = Readonly<Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs' | 'size'>>;

/** An entry, from the result of `readdir` or `lstat`. */
export function folderEntry(name: string, stats: Dirent | Stats): FolderEntry {
  return { name, isLink: stats.isSymbolicLink(), isFolder: stats.isDirectory() };
}

/** The current entry with this name; undefined if there is none. */
export async function readEntry(folder: string, name: string): Promise<FolderEntry | undefined> {
  const stats = await pacedLstatIfAny(join(folder, name)).catch(() => undefined);
  return stats && folderEntry(name, stats);
}

/**
 * Whether to scan a folder. Names such as `..data` hold versions of a mounted configuration on
 * container platforms; only the links to them count.
 */
export function isVisited({ name }: { name: string }): boolean {
  return !isSkippedName(name) && !name.startsWith('..');
}

/** The file named exactly `SKILL.md` if there is one, otherwise in any case. */
export function skillFileAmong(entries: readonly FolderEntry[]): FolderEntry | undefined {
  const named = entries.filter(
    ({ name }) => name.length === 8 && name.toLowerCase() === 'skill.md',
  );
  return named.find(({ name }) => name === 'SKILL.md') ?? named[0];
}

/** Follows links; for a dangling link, returns the stats of the link itself. */
export async function statFile(path: string): Promise<Stats> {
  try {
    return await pacedStat(path);
  } catch {
    return pacedLstat(path);
  }
}

/**
 * The stats of `root` or a folder below it, with the real path if it is a link. Throws if there is
 * none, or if a link leads out of the source.
 */
export async function statFolder(
  root: string,
  { path, isLink }: { path: string; isLink: boolean },
): Promise<{ stats: Stats; target: string | undefined }> {
  const target = isLink ? await targetOf(root, path) : undefined;
  const stats = await (isLink ? pacedStat(path) : pacedLstat(path));
  if ((isLink && target === undefined) || !stats.isDirectory()) {
    throw new Error(`${path} is not a folder of ${root}.`);
  }
  return { stats, target };
}

function targetOf(root: string, path: string): Promise<string | undefined> {
  return path === root ? realpath(path) : resolveInside(root, relative(root, path));
}

/** The part of `Stats` that is stored. */
export function entryState({ ino, mtimeMs, ctimeMs, size }: Stats): EntryState {
  return { ino, mtimeMs, ctimeMs, size };
}

export function isSameState(one: EntryState, other: EntryState): boolean {
  return (
    one.ino === other.ino &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.size === other.size
  );
}
