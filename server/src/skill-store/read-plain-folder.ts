import { closeSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { basename, sep } from 'node:path';
import { paced } from '../lib/paced-fs.ts';
import { parseSkill } from '../skill-format/skill-format.ts';
import { entryState } from './folder-entry.ts';
import { type FolderSource, pathInside } from './folder-skill.ts';
import type { KnownFolder } from './known-folder.ts';

/** A folder with a `SKILL.md` as nearly all are. */
export interface PlainFolder {
  stats: Stats;
  /** No link leads to it. */
  target: undefined;
  skill: NonNullable<KnownFolder['skill']>;
}

/** What is longer may take long to parse. */
const maxBytes = 64 * 1024;
const fileName = 'SKILL.md';

/**
 * The short way for a folder in which no skill is looked for further down, and whose `SKILL.md` is an
 * ordinary file: all at once, since with promises in between it takes a good deal longer. Undefined where
 * there is more to it, and while the disk is slow.
 */
export function createPlainReader(
  source: FolderSource,
): (path: string) => Promise<PlainFolder | undefined> {
  // New memory for each file would cost more than to read it.
  const memory = Buffer.allocUnsafeSlow(maxBytes);
  const foldsCase = new Map<number, boolean>();
  // Whether the file system takes capitals and small letters for the same, as it does for the first.
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
          // A spread would cost more time and memory than all before.
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

/** Nor is it then a link that an archive has turned into a file. */
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

/** The bytes of a file, which last until the next; undefined when it cannot be read or has others by now. */
function readInto(memory: Buffer, path: string, size: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    // One byte more would come of a file that has grown.
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
