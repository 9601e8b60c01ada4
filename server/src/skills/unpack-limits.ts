const mebibyte = 1024 * 1024;

/** What an archive may hold. Sizes in bytes, counted as they come out, never as a header promises. */
export const unpackLimits = {
  /** Of one skill. */
  files: 512,
  bytes: 16 * mebibyte,
  /** Of one file. */
  fileBytes: 4 * mebibyte,
  /** Of the whole archive, which may hold many skills. */
  entries: 20_000,
  producedBytes: 64 * mebibyte,
} as const;

/** A size as one reads it; all limits are whole ones. */
export function inMebibytes(bytes: number): string {
  return `${bytes / mebibyte} MiB`;
}

/** How many bytes may come out of one. */
const ratio = 100;
/** A short text of one letter is no bomb. */
const harmlessBytes = 64 * 1024;

/** How many bytes may come out of so many that are compressed. */
export function mostProduced(compressedBytes: number): number {
  return Math.max(harmlessBytes, ratio * compressedBytes);
}
