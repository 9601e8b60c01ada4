import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { problem } from '@knowhow/shared/problem';
import type { FileChange } from '@knowhow/shared/skills/file-changes';
import type { MergedFile, MergeSummary, SourceMerge } from '@knowhow/shared/skills/skill-sources';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  createFileComparer,
  createTextMerger,
  describeFiles,
  findCollision,
  type ManifestFile,
  type PackedFile,
  type SourceStates,
} from '../../skills/index.ts';
import { changedInBoth } from '../skills/changed-in-both.ts';
import { compareSides, type FileState } from '../skills/compare-sides.ts';

type Files = ReadonlyMap<string, PackedFile>;

/** A skill as it was taken from a source, as it is here, and as it is in the source now. */
interface Sides {
  /** Undefined if it is unknown. */
  base: readonly ManifestFile[] | undefined;
  ours: readonly PackedFile[];
  theirs: readonly PackedFile[];
}

/** Both changes of a skill, by path. */
export interface Merge {
  /** Identifies both sides. */
  checksum: string;
  /** Checksum of the files here. */
  checksumHere: string;
  /** Undefined if it is unknown. */
  base: Files | undefined;
  ours: Files;
  theirs: Files;
  states: ReadonlyMap<string, FileState>;
  /** Files that both sides changed in different lines. */
  merged: Files;
}

/** Merges a skill of a source with its edits here, file by file, and texts by lines. */
export async function mergeSides(
  states: Pick<SourceStates, 'files'>,
  { base: manifest, ours, theirs }: Sides,
): Promise<Merge> {
  const files = manifest && (await states.files(manifest));
  const [own, other] = [await describeFiles(ours), await describeFiles(theirs)];
  const sides = {
    base: files && byPath(files),
    ours: byPath(ours),
    theirs: byPath(theirs),
    states: compareSides(files && manifest ? manifest : [], own.manifest, other.manifest),
  };
  const mergeText = createTextMerger();
  const merged = new Map<string, PackedFile>();
  for (const [path, state] of sides.states) {
    const [was, mine, their] = [sides.base, sides.ours, sides.theirs].map((all) => all?.get(path));
    if (state === 'both' && was && mine && their) {
      await yieldToEventLoop();
      const bytes = mergeBytes([was, mine, their], mergeText);
      const executable = mine.executable === was.executable ? their.executable : mine.executable;
      if (bytes) {
        merged.set(path, { path, bytes, executable });
      }
    }
  }
  const checksum = sha256(`${own.checksum} ${other.checksum}`);
  return { ...sides, merged, checksum, checksumHere: own.checksum };
}

function mergeBytes(
  [base, ours, theirs]: [PackedFile, PackedFile, PackedFile],
  mergeText: ReturnType<typeof createTextMerger>,
): Uint8Array | undefined {
  const isSame = (one: PackedFile, other: PackedFile) =>
    Buffer.compare(one.bytes, other.bytes) === 0;
  if (isSame(ours, base)) {
    return theirs.bytes;
  }
  if (isSame(theirs, base) || isSame(ours, theirs)) {
    return ours.bytes;
  }
  return mergeText({ base, ours, theirs });
}

/** How many files differ, and how many of them need a decision. */
export function summarizeMerge({ checksum, base, states, merged }: Merge): MergeSummary {
  const differing = [...states].filter(([, state]) => state !== 'unchanged');
  const conflicts = differing.filter(([path, state]) => state === 'both' && !merged.has(path));
  return {
    checksum,
    hasBase: base !== undefined,
    files: differing.length,
    conflicts: conflicts.length,
  };
}

/**
 * The files that differ, with what each side changed.
 *
 * @param limitHunks limits the differences of all files together
 */
export async function describeMerge(
  merge: Merge,
  limitHunks: (changes: FileChange[]) => FileChange[],
): Promise<SourceMerge> {
  const compare = createFileComparer();
  const files: MergedFile[] = [];
  let unchanged = 0;
  for (const [path, state] of merge.states) {
    if (state === 'unchanged') {
      unchanged += 1;
      continue;
    }
    await yieldToEventLoop();
    const old = merge.base?.get(path);
    const changeOf = (side: Files) => {
      const change = compare(path, { old, now: side.get(path) });
      return limitHunks([change])[0] ?? change;
    };
    files.push({
      path,
      state: state === 'both' ? (merge.merged.has(path) ? 'merged' : 'conflict') : state,
      ...(state === 'ours' || (!merge.theirs.has(path) && !old)
        ? {}
        : { theirs: changeOf(merge.theirs) }),
      ...(state === 'theirs' || (!merge.ours.has(path) && !old)
        ? {}
        : { ours: changeOf(merge.ours) }),
    });
  }
  return { unchanged, files };
}

/**
 * The files of a merge.
 *
 * @param choices the side for each file with a conflict
 * @throws `conflict` if a file with a conflict has no choice, or files differ only in case
 */
export function resolveMerge(
  { states, base, ours, theirs, merged }: Merge,
  choices: ReadonlyMap<string, 'ours' | 'theirs'>,
): PackedFile[] {
  const files: PackedFile[] = [];
  const open: string[] = [];
  for (const [path, state] of states) {
    const choice = state === 'both' ? choices.get(path) : state;
    const isOpen = state === 'both' && !choice && !merged.has(path);
    const file = choice ? (choice === 'theirs' ? theirs : ours).get(path) : merged.get(path);
    open.push(...(isOpen ? [path] : []));
    files.push(...(file ? [file] : []));
  }
  if (open.length > 0) {
    throw changedInBoth(open, {
      subject: 'The source and this server',
      where: 'in the source and here',
      next: 'Choose a side for each.',
    });
  }
  const collision = findCollision(
    files.map(({ path }) => path),
    [...(base?.keys() ?? [])],
  );
  if (collision) {
    throw problem(
      'conflict',
      `"${collision.part}" and "${collision.other}" differ only in case: one is in the source, the other here. Rename the file here first.`,
    );
  }
  return files;
}

function byPath(files: readonly PackedFile[]): Files {
  return new Map(files.map((file) => [file.path, file]));
}
