import { maxBackupUpload } from '@knowhow/shared/config/backup';
import { maxConfigBytes } from '../content/index.ts';

const mebibyte = 1024 * 1024;
const fileBytes = 64 * mebibyte;
const rowsFile = /^(?:[^/]+\/)?data\/[^/]+\.jsonl$/;

/** Limits of a backup; sizes in bytes. */
export const backupLimits = {
  uploadBytes: maxBackupUpload,
  entries: 100_000,
  /** Total unpacked size. */
  producedBytes: 2048 * mebibyte,
  harmlessBytes: mebibyte,
  /** Maximum size of a file, except files with database rows. */
  fileBytes,
  fileBytesOf: (name: string) => (rowsFile.test(name) ? Number.POSITIVE_INFINITY : fileBytes),
  /** Maximum size and nesting of a configuration file. */
  configBytes: maxConfigBytes,
  configDepth: 64,
  /** Maximum size of a database row. */
  rowBytes: 16 * mebibyte,
  pathCharacters: 1024,
};
