import { Problem, problem } from '@knowhow/shared/problem';
import type { PackedFile } from '@knowhow/skill-format';
import { type FileMark, getMarksChecksum } from '../../../platform/lib/files-checksum.ts';
import { formatCount } from '../../../platform/lib/format-count.ts';
import {
  defaultSizeLimits,
  inMebibytes,
  maxSizeLimits,
  type SizeLimits,
} from '../archives/unpack-limits.ts';
import type { SkillLocation, SourceFile } from './skill-source.ts';

/** Size and checksum of a skill's folder. */
interface ContentDescription {
  files: number;
  bytes: number;
  /** SHA-256 in hex; changes with any path, byte or executable bit. */
  checksum: string;
  /** Last change of a file, or of the entries of a folder: ISO 8601, UTC. */
  updatedAt: string;
}

/**
 * Higher than the limits of an archive, so that a skill that is too large can still be reduced
 * here.
 */
const storable = {
  ...maxSizeLimits,
  words: "can be changed from here. Take out what it does not need on the server's disk.",
};

type PackLimits = Pick<SizeLimits, 'files' | 'bytes'>;

/** The import limits, and never less than the product's: exports must always be possible. */
function packable({ files, bytes }: PackLimits) {
  return {
    files: Math.max(files, defaultSizeLimits.files),
    bytes: Math.max(bytes, defaultSizeLimits.bytes),
    words: 'can be packed. Remove what it does not need.',
  };
}

/**
 * All files of a skill's folder, including `SKILL.md`, by path. Throws a problem if the folder has
 * been deleted, or is too large to be stored in the history.
 *
 * @param limits limits of an archive, if it will be packed
 */
export async function readContent(
  { source, path: folder }: SkillLocation,
  limits?: PackLimits,
): Promise<PackedFile[]> {
  const { files } = await source.files(folder);
  const max = limits ? packable(limits) : storable;
  const bytes = sizeOf(files);
  if (files.length > max.files || bytes > max.bytes) {
    throw problem(
      'too-large',
      `The skill has ${formatCount(files.length, 'file')} and ${formatCount(bytes, 'byte')}; up to ${max.files} files and ${inMebibytes(max.bytes)} ${max.words}`,
    );
  }
  const packed: PackedFile[] = [];
  for (const { path, executable, read } of files) {
    const bytes = await read();
    if (bytes) {
      packed.push({ path, bytes, executable });
    }
  }
  return packed.sort(byPath);
}

/** The same, or undefined if there is no such folder. */
export function readContentIfAny(location: SkillLocation): Promise<PackedFile[] | undefined> {
  return toNothing(readContent(location));
}

/** Resolves with undefined if there is no such folder. */
export async function toNothing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') {
      return undefined;
    }
    throw error;
  }
}

/** Size and checksum of a folder, however large it is. Throws a problem if it has been deleted. */
export async function describeContent({
  source,
  path: folder,
}: SkillLocation): Promise<ContentDescription> {
  const { files, changedAt } = await source.files(folder);
  const marks: FileMark[] = [];
  for (const { path, executable, digest } of files) {
    const checksum = await digest();
    if (checksum !== undefined) {
      marks.push({ path, executable, checksum });
    }
  }
  return {
    files: files.length,
    bytes: sizeOf(files),
    checksum: getMarksChecksum(marks),
    updatedAt: new Date(changedAt).toISOString(),
  };
}

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : 1;
}

function sizeOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
