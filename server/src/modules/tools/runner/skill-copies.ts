import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../platform/lib/error-code.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import type { JobFile } from './runner.ts';

/** A cache of skills, with one folder per skill ID. It may be deleted at any time. */
export interface SkillCopies {
  /** With the current checksum of the files on disk. */
  list(): Promise<{ id: string; checksum: string }[]>;
  /**
   * The files if they match the checksum. Otherwise the copy is removed and must be uploaded again.
   */
  read(id: string, checksum: string): Promise<JobFile[] | undefined>;
  /** False if the files do not match the checksum; nothing is stored. */
  write(id: string, checksum: string, files: readonly JobFile[]): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** Prefix of incomplete copies. */
const unfinished = '.new-';

export function createSkillCopies(folder: string): SkillCopies {
  const pathOf = (id: string) => join(folder, id);
  const remove = (id: string) => rm(pathOf(id), { recursive: true, force: true });
  return {
    list: async () => {
      const ids = (await namesIn(folder)).filter((name) => !name.startsWith(unfinished));
      return Promise.all(
        ids.map(async (id) => ({
          id,
          checksum: await getFilesChecksum(await filesIn(pathOf(id))),
        })),
      );
    },
    read: async (id, checksum) => {
      const files = await filesIn(pathOf(id));
      if (files.length > 0 && (await getFilesChecksum(files)) === checksum) {
        return files;
      }
      await remove(id);
      return undefined;
    },
    write: async (id, checksum, files) => {
      const whole = files.map((file) => ({ ...file, executable: file.executable ?? false }));
      if (
        (await getFilesChecksum(whole)) !== checksum ||
        !whole.every(({ path }) => isPlain(path))
      ) {
        return false;
      }
      const staged = join(folder, unfinished + randomUUID());
      try {
        for (const { path, bytes, executable } of whole) {
          const target = join(staged, path);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, bytes, { mode: executable ? 0o755 : 0o644 });
        }
        await remove(id);
        await rename(staged, pathOf(id));
      } finally {
        await rm(staged, { recursive: true, force: true });
      }
      return true;
    },
    remove,
  };
}

/** All regular files below a folder. Tolerates missing and concurrently deleted folders. */
async function filesIn(folder: string, prefix = ''): Promise<Required<JobFile>[]> {
  const found: Required<JobFile>[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(ifGone);
    if (stats?.isDirectory()) {
      found.push(...(await filesIn(path, `${prefix}${name}/`)));
    }
    const bytes = stats?.isFile() ? await readFile(path).catch(ifGone) : undefined;
    if (stats && bytes) {
      found.push({ path: prefix + name, bytes, executable: (stats.mode & 0o100) !== 0 });
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ifGone)) ?? [];
}

function ifGone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) {
    throw error;
  }
  return undefined;
}

function isPlain(path: string): boolean {
  const segments = path.split('/');
  return (
    !path.includes('\0') &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
