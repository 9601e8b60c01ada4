const mebibyte = 1024 * 1024;
const kibibyte = 1024;

/**
 * Size limits of a skill that is written, uploaded or imported; configurable by the operator. In
 * bytes.
 */
export interface SizeLimits {
  files: number;
  /** All files together. */
  bytes: number;
  /** Each file. */
  fileBytes: number;
}

export const defaultSizeLimits: SizeLimits = {
  files: 512,
  bytes: 16 * mebibyte,
  fileBytes: 4 * mebibyte,
};

/** Upper bounds of the configuration: more cannot be stored in the history. */
export const maxSizeLimits = { files: 5000, bytes: 64 * mebibyte };

/** Limits of a zip or a tar. Sizes in bytes, as unpacked. */
export interface ArchiveLimits {
  entries: number;
  /** All files together, read or not. */
  producedBytes: number;
  /**
   * Always allowed, whatever the compression ratio: a short text of one letter is not a zip bomb.
   */
  harmlessBytes: number;
}

/** Limits of an archive of skills: a whole repository. A zip without the 64-bit format has no more entries. */
export const archiveLimits: ArchiveLimits = {
  entries: 65_534,
  producedBytes: 512 * mebibyte,
  harmlessBytes: 64 * kibibyte,
};

/**
 * Limits of what is read of an archive or a repository, and is in memory until it is installed: 3,000 skills like
 * published ones have 18,000 files and 190 MiB.
 */
export const keptLimits = { files: 50_000, bytes: 256 * mebibyte };

/** Limits of a document, and of an archive of exported skills. */
export const documentLimits: ArchiveLimits = {
  entries: 20_000,
  producedBytes: 64 * mebibyte,
  harmlessBytes: 64 * kibibyte,
};

/** Formats a size. */
export function inMebibytes(bytes: number): string {
  return bytes < mebibyte ? `${bytes / kibibyte} KiB` : `${bytes / mebibyte} MiB`;
}

/** Maximum compression ratio. */
const maxRatio = 100;

/** Maximum unpacked bytes for a number of compressed bytes. */
export function maxUnpackedBytes(
  compressedBytes: number,
  { harmlessBytes }: ArchiveLimits = archiveLimits,
): number {
  return Math.max(harmlessBytes, maxRatio * compressedBytes);
}

/** Minimum compressed bytes for a number of unpacked bytes. */
export function minCompressedBytes(
  producedBytes: number,
  { harmlessBytes }: ArchiveLimits = archiveLimits,
): number {
  return producedBytes <= harmlessBytes ? 0 : Math.ceil(producedBytes / maxRatio);
}
