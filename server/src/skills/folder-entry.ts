import type { Dirent, Stats } from 'node:fs';
import { join } from 'node:path';
import { pacedLstat, pacedStat } from '../lib/paced-fs.ts';
import { skippedFolders } from './skipped-folders.ts';

/** What a folder holds under one name. */
export interface FolderEntry {
  name: string;
  isLink: boolean;
  isFolder: boolean;
}

/** An entry, from what `readdir` or `lstat` says of it. */
export function folderEntry(name: string, said: Dirent | Stats): FolderEntry {
  return { name, isLink: said.isSymbolicLink(), isFolder: said.isDirectory() };
}

/** The entry of that name, or undefined when there is none now. */
export async function readEntry(folder: string, name: string): Promise<FolderEntry | undefined> {
  const said = await pacedLstat(join(folder, name)).catch(() => undefined);
  return said && folderEntry(name, said);
}

/**
 * Whether to go into a folder. `..data` and the like are how container platforms keep versions of a
 * mounted configuration; what counts are the links to them.
 */
export function isVisited({ name }: { name: string }): boolean {
  return !skippedFolders.has(name) && !name.startsWith('..');
}

/** Exactly `SKILL.md` where there is one, else in any case. */
export function skillFileAmong(entries: readonly FolderEntry[]): FolderEntry | undefined {
  const named = entries.filter(
    ({ name }) => name.length === 8 && name.toLowerCase() === 'skill.md',
  );
  return named.find(({ name }) => name === 'SKILL.md') ?? named[0];
}

/** Tells a folder, and whether names in it were added or removed. Throws when it has gone. */
export async function folderState(path: string): Promise<string> {
  const { ino, mtimeMs } = await pacedStat(path);
  return `${ino} ${mtimeMs}`;
}

/** Tells a file and its content; of a link that leads nowhere, the link's own. */
export function fileState({ ino, mtimeMs, ctimeMs, size }: Stats): string {
  return `${ino} ${mtimeMs} ${ctimeMs} ${size}`;
}

export function statFile(path: string): Promise<Stats> {
  return pacedStat(path).catch(() => pacedLstat(path));
}
