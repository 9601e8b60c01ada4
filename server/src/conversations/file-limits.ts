const mib = 1024 * 1024;

export interface FileLimits {
  /** What the files that tools have made in a conversation may have together, in bytes. */
  made: number;
  /** What somebody may have that is not sent. */
  unsent: { files: number; bytes: number };
}

/** Of the files of stored conversations. */
export const storedLimits: FileLimits = {
  made: 256 * mib,
  unsent: { files: 100, bytes: 256 * mib },
};
/** Of those in memory. */
export const temporaryLimits: FileLimits = {
  made: 16 * mib,
  unsent: { files: 20, bytes: 32 * mib },
};
