import { keptLimits } from '../archives/unpack-limits.ts';

const mebibyte = 1024 * 1024;

/** Limits of reading a repository. Times are in milliseconds, sizes in bytes. */
export interface GitLimits {
  /** For the whole repository. */
  totalMs: number;
  /** Until the server sends the headers of its first answer. */
  firstByteMs: number;
  /** All that git stores on disk: commits, trees and the wanted files, compressed. */
  diskBytes: number;
  /** Memory of git, which stores all refs and objects that a server sends. */
  memoryBytes: number;
  /** Files of the commit, wanted or not. */
  treeFiles: number;
  /** Files that are read. */
  files: number;
  /** All files that are read, together. */
  bytes: number;
}

export const gitLimits: GitLimits = {
  totalMs: 180_000,
  firstByteMs: 20_000,
  diskBytes: 256 * mebibyte,
  memoryBytes: 768 * mebibyte,
  treeFiles: 200_000,
  files: keptLimits.files,
  bytes: keptLimits.bytes,
};
