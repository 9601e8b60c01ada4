import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { errorCode } from '../lib/error-code.ts';
import { pacedReadFolder, pacedStat } from '../lib/paced-fs.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
import { backupLimits } from './backup-limits.ts';
import { isPassing } from './backup-paths.ts';

/** A file as it lies on the disk. */
export interface TreeFile {
  /** Its path in a backup. */
  path: string;
  /** Where it is, links followed. */
  place: string;
  size: number;
  executable: boolean;
  changedAt: Date;
}

interface Folder {
  /** Relative to the root; empty for that itself. */
  path: string;
  /** The real paths of this folder and of those on the way to it: a link to one is a circle. */
  chain: readonly [string, ...string[]];
}

/**
 * Every file below a folder, in no order; none when it does not exist. Links are followed where they
 * stay inside; the folder itself may be one. What goes meanwhile is left out.
 *
 * @param prefix comes before the paths of the files, such as `contents/apps`
 * @param skipped names that are not looked at in the folder itself
 */
export async function listTree(
  directory: string,
  prefix: string,
  skipped: (name: string) => boolean = () => false,
): Promise<TreeFile[]> {
  const root = await unlessGone(realpath(directory));
  const files: TreeFile[] = [];
  const folders: Folder[] = root === undefined ? [] : [{ path: '', chain: [root] }];
  // Grows while it is gone through.
  for (const { path: above, chain } of folders) {
    for (const entry of (await unlessGone(pacedReadFolder(chain[0]))) ?? []) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`;
      const place = await placeOf(root ?? '', path, entry);
      if (place === undefined || (above === '' && skipped(entry.name))) {
        continue;
      }
      const found = await unlessGone(pacedStat(place));
      if (found?.isDirectory() && !chain.includes(place)) {
        folders.push({ path, chain: [place, ...chain] });
      } else if (found?.isFile()) {
        const executable = (found.mode & 0o111) !== 0;
        const { size, mtime: changedAt } = found;
        files.push({ path: `${prefix}/${path}`, place, size, executable, changedAt });
      }
    }
    refuseTooMany(files.length + folders.length, prefix);
  }
  return files;
}

/** Undefined for what is passed over, and for a link that leads out or nowhere. */
async function placeOf(root: string, path: string, entry: Dirent): Promise<string | undefined> {
  if (isPassing(entry.name)) {
    return undefined;
  }
  return entry.isSymbolicLink() ? resolveInside(root, path) : join(entry.parentPath, entry.name);
}

function refuseTooMany(found: number, prefix: string): void {
  if (found > backupLimits.entries) {
    throw problem(
      'too-large',
      `${prefix}/ has more than ${backupLimits.entries} files and folders, which is the most that a backup holds.`,
    );
  }
}

/** Undefined instead of failing because something is not there, or not a folder, any more. */
async function unlessGone<Result>(doing: Promise<Result>): Promise<Result | undefined> {
  try {
    return await doing;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') {
      return undefined;
    }
    throw error;
  }
}
