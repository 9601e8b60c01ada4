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

/** SHA-256 (hex) over a directory's files: paths, contents and executable bits. */
export function getFilesChecksum(files: readonly WholeFile[]): string {
  return getMarksChecksum(
    files.map(({ path, executable, bytes }) => ({ path, executable, checksum: sha256(bytes) })),
  );
}

/** The same from checksums computed earlier. */
export function getMarksChecksum(marks: readonly FileMark[]): string {
  const sorted = marks.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return sha256(
    JSON.stringify(sorted.map(({ path, executable, checksum }) => [path, executable, checksum])),
  );
}
