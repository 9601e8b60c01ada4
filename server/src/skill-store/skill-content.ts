import { Problem, problem } from '@knowhow/shared/problem';
import {
  defaultSizeLimits,
  inMebibytes,
  mostSizeLimits,
  type SizeLimits,
} from '../archives/unpack-limits.ts';
import { counted } from '../lib/counted.ts';
import { checksumOfMarks, type FileMark } from '../lib/files-checksum.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import type { SkillLocation, SourceFile } from './skill-source.ts';

/** What a skill's folder holds, in figures. */
interface ContentDescription {
  files: number;
  bytes: number;
  /** sha256 in hex; any change of a path, a byte or an executable bit gives another. */
  checksum: string;
  /** The last change of a file, or of the names in a folder: ISO 8601, UTC. */
  updatedAt: string;
}

/** More than an archive may hold, so that what is on the disk and is too large can be made smaller. */
const kept = {
  ...mostSizeLimits,
  words: "can be changed from here. Take out what it does not need on the server's disk.",
};

/** As much as may be imported, and never less than elsewhere: nothing is locked in. */
function packable({ files, bytes }: SizeLimits) {
  return {
    files: Math.max(files, defaultSizeLimits.files),
    bytes: Math.max(bytes, defaultSizeLimits.bytes),
    words: 'can be packed. Take out what it does not need.',
  };
}

/**
 * Every file of a skill's folder, `SKILL.md` too, by path; Throws a problem for a folder that has gone or holds more than can be kept as a state of
 * the history.
 *
 * @param limits where it is to be packed into an archive: it may not hold more than that can
 */
export async function readContent(
  { source, path: folder }: SkillLocation,
  limits?: SizeLimits,
): Promise<PackedFile[]> {
  const { files } = await source.files(folder);
  const most = limits ? packable(limits) : kept;
  const bytes = sizeOf(files);
  if (files.length > most.files || bytes > most.bytes) {
    throw problem(
      'too-large',
      `The skill has ${counted(files.length, 'file')} and ${counted(bytes, 'byte')}; up to ${most.files} files and ${inMebibytes(most.bytes)} ${most.words}`,
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

/** The same, or undefined when there is no such folder. */
export async function readContentIfAny(location: SkillLocation): Promise<PackedFile[] | undefined> {
  try {
    return await readContent(location);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') {
      return undefined;
    }
    throw error;
  }
}

/** The same folder in figures, however large it is. Throws a problem when it has gone. */
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
    checksum: checksumOfMarks(marks),
    updatedAt: new Date(changedAt).toISOString(),
  };
}

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : 1;
}

function sizeOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
