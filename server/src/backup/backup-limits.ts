import { maxBackupUpload } from '@knowhow/shared/config/backup';
import { maxConfigBytes } from '../content/parse-config.ts';

const mebibyte = 1024 * 1024;
const fileBytes = 64 * mebibyte;
const isRows = /^(?:[^/]+\/)?data\/[^/]+\.jsonl$/;

/** What a backup may hold. Sizes in bytes. */
export const backupLimits = {
  uploadBytes: maxBackupUpload,
  entries: 100_000,
  /** Of everything in it, unpacked. */
  producedBytes: 2048 * mebibyte,
  harmlessBytes: mebibyte,
  /** Of one file; those with rows of the database may be larger. */
  fileBytes,
  fileBytesOf: (name: string) => (isRows.test(name) ? Number.POSITIVE_INFINITY : fileBytes),
  /** Of one file of the configuration, and how deep it may be. */
  configBytes: maxConfigBytes,
  configDepth: 64,
  /** Of one row of the database. */
  rowBytes: 16 * mebibyte,
  pathCharacters: 1024,
};
