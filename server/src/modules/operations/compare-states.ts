import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FileChange } from '@knowhow/shared/skills/file-changes';
import { pacedReadFile } from '../../platform/lib/paced-fs.ts';
import { compareFiles, type UnpackedFile } from '../skills/index.ts';
import type { TreeFile } from './list-tree.ts';

/** Differences between the present state and the one after a restore. */
export interface Comparison {
  added: number;
  changed: number;
  removed: number;
  same: number;
  /** The first changes; the very first ones include a text diff. */
  changes: FileChange[];
  /** Paths of unchanged files. */
  unchanged: ReadonlySet<string>;
}

interface Pair {
  path: string;
  now: TreeFile | undefined;
  wanted: UnpackedFile | undefined;
}

const maxChanges = 500;
const maxCompared = 100;
const maxComparedBytes = 64 * 1024;
const maxReadAtOnce = 1024 * 1024;

/** Compares two states by path. */
export async function compareStates(
  now: ReadonlyMap<string, TreeFile>,
  wanted: ReadonlyMap<string, UnpackedFile>,
): Promise<Comparison> {
  const paths = [...new Set([...now.keys(), ...wanted.keys()])].sort();
  const counts = { added: 0, changed: 0, removed: 0, same: 0 };
  const unchanged = new Set<string>();
  const first: Pair[] = [];
  for (const path of paths) {
    const pair = { path, now: now.get(path), wanted: wanted.get(path) };
    const kind = await classify(pair);
    counts[kind] += 1;
    if (kind === 'same') {
      unchanged.add(path);
    } else if (first.length < maxChanges) {
      first.push(pair);
    }
  }
  const compared = await diffFiles(first.slice(0, maxCompared));
  return {
    ...counts,
    unchanged,
    changes: [...compared, ...first.slice(maxCompared).map(toChange)],
  };
}

async function classify({ now, wanted }: Pair): Promise<'added' | 'changed' | 'removed' | 'same'> {
  if (!now || !wanted) {
    return now ? 'removed' : 'added';
  }
  const isSame =
    now.size === wanted.size &&
    now.executable === wanted.executable &&
    (await digestOf(now)) === wanted.sha256;
  return isSame ? 'same' : 'changed';
}

/** SHA-256 in hexadecimal. */
export async function digestOf({ diskPath, size }: TreeFile): Promise<string> {
  const hash = createHash('sha256');
  if (size <= maxReadAtOnce) {
    return hash.update(await pacedReadFile(diskPath)).digest('hex');
  }
  await pipeline(createReadStream(diskPath), hash);
  return hash.digest('hex');
}

async function diffFiles(pairs: readonly Pair[]): Promise<FileChange[]> {
  const small = pairs.filter(({ now, wanted }) =>
    [now, wanted].every((file) => !file || file.size <= maxComparedBytes),
  );
  const side = (which: 'now' | 'wanted') =>
    Promise.all(
      small.flatMap(({ path, [which]: file }) =>
        file
          ? [
              readFile(file.diskPath).then((bytes) => ({
                path,
                bytes,
                executable: file.executable,
              })),
            ]
          : [],
      ),
    );
  const compared = compareFiles(await side('now'), await side('wanted'));
  const byPath = new Map(compared.map((change) => [change.path, change]));
  return pairs.map((pair) => byPath.get(pair.path) ?? toChange(pair));
}

function toChange({ path, now, wanted }: Pair): FileChange {
  return {
    path,
    change: now ? (wanted ? 'changed' : 'removed') : 'added',
    ...(now ? { bytesBefore: now.size } : {}),
    ...(wanted ? { bytesAfter: wanted.size } : {}),
    ...(now && wanted && now.executable !== wanted.executable
      ? { executable: wanted.executable }
      : {}),
  };
}
