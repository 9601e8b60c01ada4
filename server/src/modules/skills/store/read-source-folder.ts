import { problem } from '@knowhow/shared/problem';
import { splitListed } from '../archives/split-files.ts';
import { inMebibytes, type SizeLimits } from '../archives/unpack-limits.ts';
import { convertSources, type ReadSources } from '../conversion/convert-sources.ts';
import type { SkippedEntry, SourceFile } from './skill-source.ts';
import { walkFolder } from './walk-folder.ts';

/** A folder with skills, or with formats that can be converted to skills. */
export interface SourceFolder {
  files: readonly SourceFile[];
  skipped?: readonly SkippedEntry[];
  /** In milliseconds. */
  changedAt: number;
}

/** The files of a folder, not read yet. */
export function walkSources(directory: string): Promise<SourceFolder> {
  return walkFolder(directory);
}

/**
 * Reads a folder and converts its content to skills. Reads no more than an archive may hold.
 *
 * @param prefix name of the folder, which may determine the format
 * @param maxBytes size of all files, read or not; unlimited by default
 * @throws a problem if it is too large or invalid
 */
export async function readSourceFolder(
  { files }: SourceFolder,
  { prefix, limits, maxBytes }: { prefix: string; limits: SizeLimits; maxBytes?: number },
): Promise<ReadSources> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (maxBytes !== undefined && size > maxBytes) {
    throw problem(
      'too-large',
      `${prefix} holds more than ${inMebibytes(maxBytes)}. Remove what it does not need.`,
    );
  }
  const listed = files.map(({ path, executable, size: bytes, read }) => ({
    path: prefix === '' ? path : `${prefix}/${path}`,
    executable,
    size: bytes,
    read: () => read(),
  }));
  return convertSources(await splitListed(listed, limits), limits);
}
