import { problem } from '@knowhow/shared/problem';
import { splitFiles } from '../archives/split-files.ts';
import { inMebibytes, mostSizeLimits, type SizeLimits } from '../archives/unpack-limits.ts';
import { convertSources, type ReadSources } from '../conversion/convert-sources.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import type { SourceFile } from './skill-source.ts';
import { walkFolder } from './walk-folder.ts';

/** A folder with skills and what others call so. */
export interface SourceFolder {
  files: readonly SourceFile[];
  /** In milliseconds. */
  changedAt: number;
}

/** The files of a folder, not read yet. */
export function walkSources(directory: string): Promise<SourceFolder> {
  return walkFolder(directory);
}

/**
 * Reads a folder, and makes skills of what is in it.
 *
 * @param prefix the folder's own name, which says something of what is in it
 * @throws a problem for what is too large or wrong
 */
export async function readSourceFolder(
  { files }: SourceFolder,
  { prefix, limits }: { prefix: string; limits: SizeLimits },
): Promise<ReadSources> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > mostSizeLimits.bytes) {
    const most = inMebibytes(mostSizeLimits.bytes);
    throw problem(
      'too-large',
      `${prefix} holds more than ${most}. Take out what it does not need.`,
    );
  }
  const packed: PackedFile[] = [];
  for (const { path, executable, read } of files) {
    const bytes = await read();
    if (bytes) {
      packed.push({ path: prefix === '' ? path : `${prefix}/${path}`, bytes, executable });
    }
  }
  return convertSources(splitFiles(packed, limits), limits);
}
