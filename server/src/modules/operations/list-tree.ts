import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { errorCode } from '../../platform/lib/error-code.ts';
import { pacedMayRead, pacedReadFolder, pacedStat } from '../../platform/lib/paced-fs.ts';
import { toReadProblem } from '../../platform/lib/read-problem.ts';
import { resolveInside } from '../../platform/lib/resolve-inside.ts';
import { isSecret } from '../content/index.ts';
import { backupLimits } from './backup-limits.ts';
import { isConfigurationFile, isIgnoredPath, isLossyName } from './backup-paths.ts';

/** A file on disk. */
export interface TreeFile {
  /** Its path in a backup. */
  path: string;
  /** Its real path, with links resolved. */
  diskPath: string;
  size: number;
  executable: boolean;
  changedAt: Date;
  /** Set for a file that is not on disk: its bytes, or undefined if it is gone. */
  read?: () => Promise<Buffer | undefined>;
}

/** Something that exists but cannot be in a backup, with the reason. */
export interface LeftOut {
  path: string;
  /** A sentence. */
  message: string;
}

/** The files below a folder, unsorted. */
export interface Tree {
  files: TreeFile[];
  leftOut: LeftOut[];
}

interface Folder {
  /** Relative to the root; empty for the root itself. */
  path: string;
  /** Real paths of this folder and its parents, for detecting link cycles. */
  chain: readonly [string, ...string[]];
}

/**
 * Lists all files below a folder; none if it does not exist. Links are followed if they stay inside; links to
 * configuration files wherever they lead, as the server does. The folder itself may be a link. Files that are deleted
 * meanwhile are skipped. An unreadable file throws a problem, so that it is not silently missing from a backup.
 *
 * @param prefix prepended to the files' paths, such as `contents/apps`
 * @param skipped names to ignore in the folder itself
 */
export async function listTree(
  directory: string,
  prefix: string,
  skipped: (name: string) => boolean = () => false,
): Promise<Tree> {
  const root = await ifExists(realpath(directory));
  const tree: Tree = { files: [], leftOut: [] };
  const folders: Folder[] = root === undefined ? [] : [{ path: '', chain: [root] }];
  // Grows during iteration (breadth-first traversal).
  for (const { path: parent, chain } of folders) {
    for (const entry of (await assertReadable(pacedReadFolder, chain[0], 'folder')) ?? []) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
      if (isIgnoredPath(`${prefix}/${path}`) || (parent === '' && skipped(entry.name))) {
        continue;
      }
      const diskPath = await diskPathOf(root ?? '', { prefix, path }, entry);
      const found = diskPath === undefined ? undefined : await ifExists(pacedStat(diskPath));
      if (diskPath !== undefined && found?.isDirectory() && !chain.includes(diskPath)) {
        folders.push({ path, chain: [diskPath, ...chain] });
      } else if (diskPath !== undefined && found?.isFile()) {
        const executable = (found.mode & 0o111) !== 0;
        const { size, mtime: changedAt } = found;
        if (!isSecret(`${prefix}/${path}`)) {
          await assertReadable(pacedMayRead, diskPath, 'file');
        }
        tree.files.push({ path: `${prefix}/${path}`, diskPath, size, executable, changedAt });
      } else if (found || entry.isSymbolicLink() || isLossyName(entry.name)) {
        tree.leftOut.push({ path: `${prefix}/${path}`, message: describeLeftOut(entry, prefix) });
      }
    }
    assertNotTooMany(tree.files.length + folders.length, prefix);
  }
  return tree;
}

/** Undefined for a link that leads outside, is dangling or forms a cycle. */
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
  const isFile = diskPath !== undefined && (await ifExists(pacedStat(diskPath)))?.isFile();
  return isFile ? diskPath : undefined;
}

async function assertReadable<Result>(
  read: (path: string) => Promise<Result>,
  path: string,
  kind: 'file' | 'folder',
): Promise<Result | undefined> {
  try {
    return await ifExists(read(path));
  } catch (error) {
    throw toReadProblem(error, path, kind);
  }
}

function describeLeftOut(entry: Dirent, prefix: string): string {
  if (isLossyName(entry.name)) {
    return 'The name is not in UTF-8.';
  }
  return entry.isSymbolicLink()
    ? `It is a link that leads out of ${prefix}/, nowhere, or in a circle.`
    : 'It is neither a file nor a folder.';
}

function assertNotTooMany(found: number, prefix: string): void {
  if (found > backupLimits.entries) {
    throw problem(
      'too-large',
      `${prefix}/ has more than ${backupLimits.entries} files and folders, the maximum of a backup.`,
    );
  }
}

/** Undefined if something no longer exists, or is no longer a folder. */
async function ifExists<Result>(doing: Promise<Result>): Promise<Result | undefined> {
  try {
    return await doing;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') {
      return undefined;
    }
    throw error;
  }
}
