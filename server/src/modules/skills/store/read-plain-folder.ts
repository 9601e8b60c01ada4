import { closeSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { basename, sep } from 'node:path';
import { parseSkill } from '@knowhow/skill-format';
import { paced } from '../../../platform/lib/paced-fs.ts';
import { entryState } from './folder-entry.ts';
import { type FolderSource, pathInside } from './folder-skill.ts';
import type { KnownFolder } from './known-folder.ts';

/** A folder with an ordinary `SKILL.md`, like nearly all. */
export interface PlainFolder {
  stats: Stats;
  /** Not a link. */
  target: undefined;
  skill: NonNullable<KnownFolder['skill']>;
}

/** Larger files may take long to parse. */
const maxBytes = 64 * 1024;
const fileName = 'SKILL.md';

/**
 * A fast path for a folder without nested skills whose `SKILL.md` is a regular file. Reads
 * synchronously, because promises make it much slower. Returns undefined for other folders, and
 * while the disk is slow.
 */
export function createPlainReader(
  source: FolderSource,
): (path: string) => Promise<PlainFolder | undefined> {
  // Allocating a buffer for each file would cost more than reading it.
  const memory = Buffer.allocUnsafeSlow(maxBytes);
  const foldsCase = new Map<number, boolean>();
  // Whether the file system is case-insensitive, decided by the first skill.
  const isFolding = (path: string, { dev }: Stats): boolean => {
    const folds = foldsCase.get(dev) ?? statIfAny(`${path}${sep}sKILL.md`) !== undefined;
    foldsCase.set(dev, folds);
    return folds;
  };
  const readNow = (path: string): PlainFolder | undefined => {
    const stats = statIfAny(path);
    const file = path + sep + fileName;
    const stated = stats?.isDirectory() ? statIfAny(file) : undefined;
    if (!stats || !stated?.isFile() || stated.size >= maxBytes || isFolding(path, stated)) {
      return undefined;
    }
    const bytes = readInto(memory, file, stated.size);
    const skill =
      bytes && hasFrontmatter(bytes) ? parseSkill(bytes, basename(path)).skill : undefined;
    return (
      skill && {
        stats,
        target: undefined,
        skill: {
          name: fileName,
          state: entryState(stated),
          // A spread would cost more time and memory than everything before.
          found: Object.assign(skill, {
            source,
            path: pathInside(source, path),
            file: undefined,
            updatedAt: stated.mtimeMs,
          }),
        },
      }
    );
  };
  return (path) => paced(path, readNow, () => Promise.resolve(undefined));
}

/** With frontmatter, it is not a link that an archive has flattened to a file either. */
function hasFrontmatter(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === '---\n';
}

function statIfAny(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a file, valid until the next call; undefined if it cannot be read or its size has
 * changed.
 */
function readInto(memory: Buffer, path: string, size: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    // Reads one byte more, to detect a file that has grown.
    const length = readSync(file, memory, 0, size + 1, null);
    return length === size ? memory.subarray(0, size) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}
