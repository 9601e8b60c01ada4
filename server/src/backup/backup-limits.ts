import { maxBackupUpload } from '@knowhow/shared/backup';
import type { ZipLimits } from '../archives/open-zip-file.ts';
import { maxConfigBytes } from '../content/parse-config.ts';

const mebibyte = 1024 * 1024;

/** What a backup may hold. Sizes in bytes. */
export const backupLimits = {
  uploadBytes: maxBackupUpload,
  entries: 100_000,
  /** Of everything in it, unpacked. */
  producedBytes: 2048 * mebibyte,
  /** Of one file; those with rows of the database may be larger. */
  fileBytes: 64 * mebibyte,
  /** Of one file of the configuration, and how deep it may be. */
  configBytes: maxConfigBytes,
  configDepth: 64,
  /** Of one row of the database. */
  rowBytes: 16 * mebibyte,
  pathCharacters: 1024,
} as const;

/** How many bytes may come out of one. */
const ratio = 100;
/** A short text of one letter is no bomb. */
const harmlessBytes = mebibyte;

const isRows = /^(?:[^/]+\/)?data\/[^/]+\.jsonl$/;

/** The same of its zip. */
export const zipLimits: ZipLimits = {
  entries: backupLimits.entries,
  fileBytes: (name) => (isRows.test(name) ? Number.POSITIVE_INFINITY : backupLimits.fileBytes),
  producedBytes: backupLimits.producedBytes,
  mostProduced: (compressedBytes) => Math.max(harmlessBytes, ratio * compressedBytes),
};

/** How many bytes of an archive it takes for so many to come out of it. */
export function leastCompressed(producedBytes: number): number {
  return producedBytes <= harmlessBytes ? 0 : Math.ceil(producedBytes / ratio);
}
