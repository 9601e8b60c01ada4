import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { problem } from '@knowhow/shared/problem';
import { whySkipped } from '@knowhow/shared/skills/clutter-names';
import { isSkippedName, skippedFolders } from '@knowhow/skill-format';
import { errorCode } from '../../../platform/lib/error-code.ts';
import { pacedReadFile, pacedReadFolder, pacedStat } from '../../../platform/lib/paced-fs.ts';
import { resolveInside } from '../../../platform/lib/resolve-inside.ts';
import type { SkillFiles, SkippedEntry, SourceFile } from './skill-source.ts';

interface Folder {
  path: string;
  /** Real paths of this folder and its ancestors, to detect circular links. */
  chain: readonly [string, ...string[]];
}

/** Folders with links to each other may be almost infinite. */
const maxEntries = 20_000;
/** Maximum number of skipped entries that are listed. */
const maxSkipped = 1000;

/**
 * All files of a skill's folder, in any order. Follows links that stay inside. Entries that are not
 * read are in `skipped`, with the reason. Files deleted meanwhile are omitted. Throws a problem if the
 * folder itself has been deleted.
 *
 * @param most maximum number of files and folders to read, highest first, files before folders
 */
export async function walkFolder(
  directory: string,
  most: number = maxEntries,
): Promise<SkillFiles> {
  const root = await ignoreMissing(realpath(directory));
  if (root === undefined) {
    throw problem('not-found', "The skill's folder is not there any more. Look at the list again.");
  }
  const files: SourceFile[] = [];
  const skipped: SkippedEntry[] = [];
  const folders: Folder[] = [{ path: '', chain: [root] }];
  let changedAt = 0;
  // Grows during the iteration.
  for (const { path: above, chain } of folders) {
    const [real] = chain;
    changedAt = Math.max(changedAt, (await ignoreMissing(pacedStat(real)))?.mtimeMs ?? 0);
    const entries = (await ignoreMissing(pacedReadFolder(real))) ?? [];
    for (const entry of entries.sort(filesFirst)) {
      if (files.length + folders.length > most) {
        break;
      }
      const path = above === '' ? entry.name : `${above}/${entry.name}`;
      const target = await targetOf(root, path, entry);
      const stats = target === undefined ? undefined : await ignoreMissing(pacedStat(target));
      if (target !== undefined && stats?.isDirectory() && !chain.includes(target)) {
        folders.push({ path, chain: [target, ...chain] });
      } else if (target !== undefined && stats?.isFile()) {
        files.push(walkedFile(path, target, stats));
        changedAt = Math.max(changedAt, stats.mtimeMs);
      } else if (skipped.length < maxSkipped) {
        const why = whyNotRead(entry);
        skipped.push(...(why ? [{ path: entry.isDirectory() ? `${path}/` : path, why }] : []));
      }
    }
  }
  return { files, changedAt, skipped };
}

function filesFirst(one: Dirent, other: Dirent): number {
  return (
    Number(one.isDirectory()) - Number(other.isDirectory()) || (one.name < other.name ? -1 : 1)
  );
}

/** Larger files are hashed in chunks. */
const maxInMemory = 1024 * 1024;

/** @param target its real path */
function walkedFile(path: string, target: string, stats: Stats): SourceFile {
  const { size, mode, ino, mtimeMs, ctimeMs } = stats;
  return {
    path,
    size,
    executable: (mode & 0o111) !== 0,
    version: [target, ino, mtimeMs, ctimeMs, size].join('\0'),
    read: (most) =>
      ignoreMissing(most === undefined ? pacedReadFile(target) : readHead(target, most)),
    digest: () => ignoreMissing(hashFile(target, size)),
  };
}

async function readHead(target: string, most: number): Promise<Buffer> {
  const handle = await open(target);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function hashFile(target: string, size: number): Promise<string> {
  const hashing = createHash('sha256');
  if (size <= maxInMemory) {
    return hashing.update(await pacedReadFile(target)).digest('hex');
  }
  await pipeline(createReadStream(target), hashing);
  return hashing.digest('hex');
}

/** Undefined for a file or folder that has gone meanwhile, and for our own staging folder. */
function whyNotRead(entry: Dirent): SkippedEntry['why'] | undefined {
  const { name } = entry;
  if (isSkippedName(name)) {
    return whySkipped(name);
  }
  if (name.includes('\\')) {
    return 'back-slash';
  }
  if (entry.isSymbolicLink()) {
    return 'link';
  }
  return entry.isFile() || entry.isDirectory() ? undefined : 'special-file';
}

/** A backslash is ambiguous with a path separator: such files are neither read nor written. */
function isSkipped({ name }: Dirent): boolean {
  return isSkippedName(name) || name.includes('\\');
}

/** Undefined for skipped entries, and for links that lead out of the folder or nowhere. */
async function targetOf(root: string, path: string, entry: Dirent): Promise<string | undefined> {
  if (isSkipped(entry)) {
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
 * Awaits an operation, and returns undefined if its file or folder has been deleted, or replaced by
 * the other kind.
 */
export async function ignoreMissing<Result>(
  operation: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (goneCodes.has(errorCode(error) ?? '')) {
      return undefined;
    }
    throw error;
  }
}
