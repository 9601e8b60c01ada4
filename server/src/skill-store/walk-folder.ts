import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { errorCode } from '../lib/error-code.ts';
import { pacedReadFolder, pacedStat } from '../lib/paced-fs.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
import { skippedFolders } from '../skill-format/skill-format.ts';

/** What is in a skill's folder. */
export interface WalkedFolder {
  files: WalkedFile[];
  /** When a file, or the names in a folder, changed last: in milliseconds. */
  changedAt: number;
}

export interface WalkedFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  /** Where it is, links followed. */
  target: string;
  size: number;
  executable: boolean;
}

interface Folder {
  path: string;
  /** The real paths of this folder and of those on the way to it: a link to one is a circle. */
  chain: readonly [string, ...string[]];
}

/** Folders with links to each other have hardly an end. */
const maxEntries = 20_000;

/**
 * Every file of a skill's folder, in no order; links are followed where they stay inside. What goes
 * meanwhile is left out. Throws a problem when the folder itself has gone.
 */
export async function walkFolder(directory: string): Promise<WalkedFolder> {
  const root = await unlessGone(realpath(directory));
  if (root === undefined) {
    throw problem('not-found', "The skill's folder is not there any more. Look at the list again.");
  }
  const files: WalkedFile[] = [];
  const folders: Folder[] = [{ path: '', chain: [root] }];
  let changedAt = 0;
  // Grows while it is gone through.
  for (const { path: above, chain } of folders) {
    const [real] = chain;
    changedAt = Math.max(changedAt, (await unlessGone(pacedStat(real)))?.mtimeMs ?? 0);
    for (const entry of (await unlessGone(pacedReadFolder(real))) ?? []) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`;
      const target = await targetOf(root, path, entry);
      const stats = target === undefined ? undefined : await unlessGone(pacedStat(target));
      if (target === undefined || !stats || files.length + folders.length > maxEntries) {
        continue;
      }
      if (stats.isDirectory() && !chain.includes(target)) {
        folders.push({ path, chain: [target, ...chain] });
      } else if (stats.isFile()) {
        files.push({ path, target, size: stats.size, executable: (stats.mode & 0o111) !== 0 });
        changedAt = Math.max(changedAt, stats.mtimeMs);
      }
    }
  }
  return { files, changedAt };
}

/** Undefined for what is passed over, and for a link that leads out or nowhere. */
async function targetOf(root: string, path: string, entry: Dirent): Promise<string | undefined> {
  // A back-slash cannot be told from a separator by others: nothing reads or writes such a file.
  if (skippedFolders.has(entry.name) || entry.name.includes('\\')) {
    return undefined;
  }
  if (!entry.isSymbolicLink()) {
    return join(entry.parentPath, entry.name);
  }
  const target = await resolveInside(root, path);
  const names = target === undefined ? [] : relative(root, target).split(sep);
  return names.some((name) => skippedFolders.has(name)) ? undefined : target;
}

const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/**
 * The same, but undefined instead of failing because something is not there any more, or has become a
 * file where it was a folder, or the other way round.
 */
export async function unlessGone<Result>(doing: Promise<Result>): Promise<Result | undefined> {
  try {
    return await doing;
  } catch (error) {
    if (goneCodes.has(errorCode(error) ?? '')) {
      return undefined;
    }
    throw error;
  }
}
