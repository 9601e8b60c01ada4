import { createHash } from 'node:crypto';

/** One file of a folder, as its checksum sees it. */
export interface FileMark {
  /** Relative, with forward slashes. */
  path: string;
  executable: boolean;
  /** sha256 of its bytes, in hex. */
  checksum: string;
}

interface WholeFile {
  path: string;
  executable: boolean;
  bytes: Uint8Array;
}

/** The checksum of a folder with these files, sha256 in hex: any change of a path, a byte or an executable bit gives another. */
export function checksumOf(files: readonly WholeFile[]): string {
  return checksumOfMarks(
    files.map(({ path, executable, bytes }) => ({ path, executable, checksum: hash(bytes) })),
  );
}

/** The same for files that were looked through elsewhere. */
export function checksumOfMarks(marks: readonly FileMark[]): string {
  const sorted = marks.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return hash(
    JSON.stringify(sorted.map(({ path, executable, checksum }) => [path, executable, checksum])),
  );
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
