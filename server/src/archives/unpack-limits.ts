const mebibyte = 1024 * 1024;
const kibibyte = 1024;

/** What one skill may hold that is written, uploaded or imported; an operator may set it. In bytes. */
export interface SizeLimits {
  files: number;
  /** Of all files together. */
  bytes: number;
  /** Of one file. */
  fileBytes: number;
}

export const defaultSizeLimits: SizeLimits = {
  files: 512,
  bytes: 16 * mebibyte,
  fileBytes: 4 * mebibyte,
};

/** The most that can be set: more cannot be kept in the history. */
export const mostSizeLimits = { files: 5000, bytes: 64 * mebibyte };

/** What a whole archive may hold. Sizes in bytes, counted as they come out. */
export interface ArchiveLimits {
  entries: number;
  /** Of all files together. */
  producedBytes: number;
  /** So much may come out of however little: a short text of one letter is no bomb. */
  harmlessBytes: number;
}

/** Of an archive of skills, however many there are. */
export const archiveLimits: ArchiveLimits = {
  entries: 20_000,
  producedBytes: 64 * mebibyte,
  harmlessBytes: 64 * kibibyte,
};

/** A size as one reads it. */
export function inMebibytes(bytes: number): string {
  return bytes < mebibyte ? `${bytes / kibibyte} KiB` : `${bytes / mebibyte} MiB`;
}

/** How many bytes may come out of one. */
const ratio = 100;

/** How many bytes may come out of so many that are compressed. */
export function mostProduced(
  compressedBytes: number,
  { harmlessBytes }: ArchiveLimits = archiveLimits,
): number {
  return Math.max(harmlessBytes, ratio * compressedBytes);
}

/** How many bytes of an archive it takes for so many to come out of it. */
export function leastCompressed(
  producedBytes: number,
  { harmlessBytes }: ArchiveLimits = archiveLimits,
): number {
  return producedBytes <= harmlessBytes ? 0 : Math.ceil(producedBytes / ratio);
}
