import { problem } from '@knowhow/shared/problem';
import type { PackedFile } from '@knowhow/skill-format';
import { splitFiles } from '../archives/split-files.ts';
import { inMebibytes, maxSizeLimits, type SizeLimits } from '../archives/unpack-limits.ts';
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
 * Reads a folder and converts its content to skills.
 *
 * @param prefix name of the folder, which may determine the format
 * @throws a problem if it is too large or invalid
 */
export async function readSourceFolder(
  { files }: SourceFolder,
  { prefix, limits }: { prefix: string; limits: SizeLimits },
): Promise<ReadSources> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > maxSizeLimits.bytes) {
    const maxSize = inMebibytes(maxSizeLimits.bytes);
    throw problem(
      'too-large',
      `${prefix} holds more than ${maxSize}. Remove what it does not need.`,
    );
  }
  const packed: PackedFile[] = [];
  for (const { path, executable, read } of files) {
    const bytes = await read();
    if (bytes) {
      packed.push({ path: prefix === '' ? path : `${prefix}/${path}`, bytes, executable });
    }
  }
  return convertSources(await splitFiles(packed, limits), limits);
}
