import { createHash } from 'node:crypto';
import type { PackedFile } from '@knowhow/skill-format';
import {
  type FileMark,
  getMarksChecksum,
  markFiles,
} from '../../../platform/lib/files-checksum.ts';

/** A file of a version: its path, and the blob with its content. */
export interface ManifestFile {
  path: string;
  /** SHA-256, base64url: a third shorter than hex. */
  digest: string;
  executable: boolean;
}

/** All files of a version, and what identifies them together. */
export interface DescribedFiles {
  manifest: ManifestFile[];
  /** SHA-256 in hex over the sorted (path, SHA-256) pairs. */
  digest: string;
  /** SHA-256 in hex that includes executable bits: the checksum for `If-Match`. */
  checksum: string;
  files: number;
  bytes: number;
}

export async function describeFiles(files: readonly PackedFile[]): Promise<DescribedFiles> {
  const marks = await markFiles(files);
  const manifest = marks
    .map(({ path, executable, checksum }) => ({
      path,
      digest: Buffer.from(checksum, 'hex').toString('base64url'),
      executable,
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  return {
    manifest,
    digest: getContentDigest(marks),
    checksum: getMarksChecksum(marks),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
  };
}

/** SHA-256 in hex over the sorted (path, SHA-256 in hex) pairs, each as `path NUL digest LF`. */
function getContentDigest(marks: readonly FileMark[]): string {
  const hash = createHash('sha256');
  for (const { path, checksum } of marks.toSorted((one, other) =>
    one.path < other.path ? -1 : 1,
  )) {
    hash.update(`${path}\0${checksum}\n`);
  }
  return hash.digest('hex');
}

const digestLength = 43;

/** As a JSON list of texts: the digest, `*` for an executable file or else a space, and the path. */
export function writeManifest(files: readonly ManifestFile[]): string {
  return JSON.stringify(
    files.map(({ path, digest, executable }) => `${digest}${executable ? '*' : ' '}${path}`),
  );
}

/** Reads what `writeManifest` wrote. */
export function readManifest(written: string): ManifestFile[] {
  return (JSON.parse(written) as string[]).map((file) => ({
    path: file.slice(digestLength + 1),
    digest: file.slice(0, digestLength),
    executable: file[digestLength] === '*',
  }));
}
