import type { Dirent, Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pacedLstat, pacedLstatIfAny, pacedStat } from '../lib/paced-fs.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
import { isSkippedName } from '../skill-format/skill-format.ts';

/** What a folder holds under one name. */
export interface FolderEntry {
  name: string;
  isLink: boolean;
  isFolder: boolean;
}

/** Identifies a file or folder, and shows whether its content has changed. */
export type EntryState = Readonly<Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs' | 'size'>>;

/** An entry, from what `readdir` or `lstat` says of it. */
export function folderEntry(name: string, said: Dirent | Stats): FolderEntry {
  return { name, isLink: said.isSymbolicLink(), isFolder: said.isDirectory() };
}

/** The entry of that name, or undefined when there is none now. */
export async function readEntry(folder: string, name: string): Promise<FolderEntry | undefined> {
  const said = await pacedLstatIfAny(join(folder, name)).catch(() => undefined);
  return said && folderEntry(name, said);
}

/**
 * Whether to go into a folder. `..data` and the like are how container platforms keep versions of a
 * mounted configuration; what counts are the links to them.
 */
export function isVisited({ name }: { name: string }): boolean {
  return !isSkippedName(name) && !name.startsWith('..');
}

/** Exactly `SKILL.md` where there is one, else in any case. */
export function skillFileAmong(entries: readonly FolderEntry[]): FolderEntry | undefined {
  const named = entries.filter(
    ({ name }) => name.length === 8 && name.toLowerCase() === 'skill.md',
  );
  return named.find(({ name }) => name === 'SKILL.md') ?? named[0];
}

/** Of a link that leads nowhere, what the link itself is. */
export async function statFile(path: string): Promise<Stats> {
  try {
    return await pacedStat(path);
  } catch {
    return pacedLstat(path);
  }
}

/**
 * A folder below `root`, or `root` itself, with its real path where a link leads to it. Throws when there
 * is none, and when a link leads out: nothing in a source may.
 */
export async function statFolder(
  root: string,
  { path, isLink }: { path: string; isLink: boolean },
): Promise<{ stats: Stats; target: string | undefined }> {
  const target = isLink ? await targetOf(root, path) : undefined;
  const stats = await (isLink ? pacedStat(path) : pacedLstat(path));
  if ((isLink && target === undefined) || !stats.isDirectory()) {
    throw new Error(`${path} is no folder of ${root}.`);
  }
  return { stats, target };
}

function targetOf(root: string, path: string): Promise<string | undefined> {
  return path === root ? realpath(path) : resolveInside(root, relative(root, path));
}

/** All that is kept of what the system reports. */
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
