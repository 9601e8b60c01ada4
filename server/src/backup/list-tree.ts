import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { isSecret } from '../content/is-secret.ts';
import { errorCode } from '../lib/error-code.ts';
import { notReadable } from '../lib/not-readable.ts';
import { pacedMayRead, pacedReadFolder, pacedStat } from '../lib/paced-fs.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
import { backupLimits } from './backup-limits.ts';
import { isConfigurationFile, isOddName, isPassing } from './backup-paths.ts';

/** A file as it is on the disk. */
export interface TreeFile {
  /** Its path in a backup. */
  path: string;
  /** Where it is, links followed. */
  diskPath: string;
  size: number;
  executable: boolean;
  changedAt: Date;
}

/** What is there and cannot be in a backup, and why. */
export interface LeftOut {
  path: string;
  /** A sentence. */
  message: string;
}

/** What is below a folder, in no order. */
export interface Tree {
  files: TreeFile[];
  leftOut: LeftOut[];
}

interface Folder {
  /** Relative to the root; empty for that itself. */
  path: string;
  /** The real paths of this folder and of those on the way to it: a link to one is a circle. */
  chain: readonly [string, ...string[]];
}

/**
 * Every file below a folder; none when it does not exist. Links are followed where they stay inside, and
 * those to files of the configuration wherever they lead, as the server does; the folder itself may be
 * a link. What goes meanwhile is passed over; what may not be read is a problem that names it, rather than
 * missing from a backup.
 *
 * @param prefix comes before the paths of the files, such as `contents/apps`
 * @param skipped names that are not looked at in the folder itself
 */
export async function listTree(
  directory: string,
  prefix: string,
  skipped: (name: string) => boolean = () => false,
): Promise<Tree> {
  const root = await unlessGone(realpath(directory));
  const tree: Tree = { files: [], leftOut: [] };
  const folders: Folder[] = root === undefined ? [] : [{ path: '', chain: [root] }];
  // Grows while it is gone through.
  for (const { path: above, chain } of folders) {
    for (const entry of (await readable(pacedReadFolder, chain[0], 'folder')) ?? []) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`;
      if (isPassing(`${prefix}/${path}`) || (above === '' && skipped(entry.name))) {
        continue;
      }
      const diskPath = await diskPathOf(root ?? '', { prefix, path }, entry);
      const found = diskPath === undefined ? undefined : await unlessGone(pacedStat(diskPath));
      if (diskPath !== undefined && found?.isDirectory() && !chain.includes(diskPath)) {
        folders.push({ path, chain: [diskPath, ...chain] });
      } else if (diskPath !== undefined && found?.isFile()) {
        const executable = (found.mode & 0o111) !== 0;
        const { size, mtime: changedAt } = found;
        if (!isSecret(`${prefix}/${path}`)) {
          await readable(pacedMayRead, diskPath, 'file');
        }
        tree.files.push({ path: `${prefix}/${path}`, diskPath, size, executable, changedAt });
      } else if (found || entry.isSymbolicLink() || isOddName(entry.name)) {
        tree.leftOut.push({ path: `${prefix}/${path}`, message: whyLeftOut(entry, prefix) });
      }
    }
    refuseTooMany(tree.files.length + folders.length, prefix);
  }
  return tree;
}

/** Undefined for a link that leads out, nowhere, or in a circle. */
async function diskPathOf(
  root: string,
  { prefix, path }: { prefix: string; path: string },
  entry: Dirent,
): Promise<string | undefined> {
  if (!entry.isSymbolicLink()) {
    return join(entry.parentPath, entry.name);
  }
  const inside = await resolveInside(root, path);
  if (inside !== undefined || !isConfigurationFile(`${prefix}/${path}`)) {
    return inside;
  }
  const diskPath = await realpath(join(root, path)).catch(() => undefined);
  const isFile = diskPath !== undefined && (await unlessGone(pacedStat(diskPath)))?.isFile();
  return isFile ? diskPath : undefined;
}

async function readable<Result>(
  read: (path: string) => Promise<Result>,
  path: string,
  kind: 'file' | 'folder',
): Promise<Result | undefined> {
  try {
    return await unlessGone(read(path));
  } catch (error) {
    throw notReadable(error, path, kind);
  }
}

function whyLeftOut(entry: Dirent, prefix: string): string {
  if (isOddName(entry.name)) {
    return 'The name is not in UTF-8.';
  }
  return entry.isSymbolicLink()
    ? `It is a link that leads out of ${prefix}/, nowhere, or in a circle.`
    : 'It is neither a file nor a folder.';
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
