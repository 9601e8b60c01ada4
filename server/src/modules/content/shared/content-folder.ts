import type { Stats } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stagingFolder } from '@knowhow/shared/skills/clutter-names';
import { errorCode } from '../../../platform/lib/error-code.ts';
import { pacedLstat, pacedReadFolder } from '../../../platform/lib/paced-fs.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  isTemporaryName,
  removeTemporaries,
  writeFileAtomic,
} from '../../../platform/lib/write-file-atomic.ts';
import { isSecret } from '../is-secret.ts';
import type { ContentChange, ContentFile, ContentFiles } from './content-file.ts';

/** The parts of `contents/` that nodes share; everything else stays local. */
const sharedParts = ['apps', 'config', 'models', 'plugins', 'prompts', 'skills'] as const;

/** A folder of contents on disk, as files that can be compared. */
export interface ContentFolder {
  /** Rereads only files that have changed since the last scan. */
  scan(): Promise<Scan>;
  read(path: string): Promise<Buffer>;
  /** Writes or deletes the file of a change. */
  apply(change: ContentChange, bytes: Uint8Array | undefined): Promise<void>;
  /** Removes temporary files that `apply` left when its process was killed. */
  tidyUp(): Promise<void>;
}

interface Scan {
  files: ContentFiles;
  /** Paths that cannot be shared: links and special files. */
  leftOut: string[];
}

interface ScannedFile extends ContentFile {
  stamp: string;
}

/** Files of version control and work in progress. */
const ignoredNames: readonly string[] = [stagingFolder, '.git', 'node_modules', '__pycache__'];

export function openContentFolder(directory: string): ContentFolder {
  let scanned: ReadonlyMap<string, ScannedFile> = new Map();
  const read = (path: string) => readFile(join(directory, path));
  return {
    scan: async () => {
      const next = new Map<string, ScannedFile>();
      const leftOut: string[] = [];
      for await (const { path, stats } of filesIn(directory)) {
        if (!stats.isFile()) {
          leftOut.push(path);
          continue;
        }
        const stamp = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ');
        const known = scanned.get(path);
        const bytes = known?.stamp === stamp ? undefined : await ifExists(read(path));
        const sha256 = bytes ? digest(bytes) : known?.sha256;
        if (sha256 !== undefined) {
          next.set(path, { sha256, executable: (stats.mode & 0o111) !== 0, stamp });
        }
      }
      scanned = next;
      return { files: next, leftOut };
    },
    read,
    apply: ({ path, after }, bytes) =>
      after && bytes
        ? writeFileAtomic(join(directory, path), bytes, after.executable ? 0o755 : 0o644)
        : remove(directory, path),
    tidyUp: () => tidyUp(directory),
  };
}

export function digest(bytes: Uint8Array): string {
  return sha256(bytes);
}

interface Found {
  path: string;
  stats: Stats;
}

async function* filesIn(directory: string): AsyncGenerator<Found> {
  const folders: string[] = [...sharedParts];
  for (const folder of folders) {
    for (const { name } of (await ifExists(pacedReadFolder(join(directory, folder)))) ?? []) {
      const path = `${folder}/${name}`;
      if (isIgnored(name) || isSecret(`contents/${path}`)) {
        continue;
      }
      const stats = await ifExists(pacedLstat(join(directory, path)));
      if (stats?.isDirectory()) {
        folders.push(path);
      } else if (stats) {
        yield { path, stats };
      }
    }
  }
}

function isIgnored(name: string): boolean {
  return ignoredNames.includes(name) || name.startsWith('..') || isTemporaryName(name);
}

async function tidyUp(directory: string): Promise<void> {
  for (const part of sharedParts) {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = (await ifExists(readdir(join(directory, part), options))) ?? [];
    const temporaries = entries.filter(({ name }) => isTemporaryName(name));
    for (const folder of new Set(temporaries.map(({ parentPath }) => parentPath))) {
      await removeTemporaries(folder);
    }
  }
}

/** Also removes parent folders that become empty. */
async function remove(directory: string, path: string): Promise<void> {
  await rm(join(directory, path), { force: true });
  for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
    const isNotEmpty = await rmdir(join(directory, folder)).then(
      () => false,
      () => true,
    );
    if (isNotEmpty) {
      return;
    }
  }
}

async function ifExists<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) {
      return undefined;
    }
    throw error;
  }
}
