import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sha256 } from './sha256.ts';

/** The checksum of one file of a directory. */
export interface FileMark {
  /** Relative, with forward slashes. */
  path: string;
  executable: boolean;
  /** SHA-256 of its bytes, in hex. */
  checksum: string;
}

interface WholeFile {
  path: string;
  executable: boolean;
  bytes: Uint8Array;
}

const yieldEvery = 1024 * 1024;

/** Hashes each file. Large skills take 0.1 s, so it yields to other requests after each mebibyte. */
export async function markFiles(files: readonly WholeFile[]): Promise<FileMark[]> {
  const marks: FileMark[] = [];
  let unyielded = 0;
  for (const { path, executable, bytes } of files) {
    marks.push({ path, executable, checksum: sha256(bytes) });
    unyielded += bytes.length;
    if (unyielded > yieldEvery) {
      unyielded = 0;
      await yieldToEventLoop();
    }
  }
  return marks;
}

/** SHA-256 (hex) over a directory's files: paths, contents and executable bits. */
export async function getFilesChecksum(files: readonly WholeFile[]): Promise<string> {
  return getMarksChecksum(await markFiles(files));
}

/** The same from checksums computed earlier. */
export function getMarksChecksum(marks: readonly FileMark[]): string {
  const sorted = marks.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return sha256(
    JSON.stringify(sorted.map(({ path, executable, checksum }) => [path, executable, checksum])),
  );
}
