const mib = 1024 * 1024;

export interface FileLimits {
  /** Maximum total size of the files that tools generated in a conversation, in bytes. */
  generated: number;
  /** Maximum of a user's uploaded files that are not sent yet. */
  unsent: { files: number; bytes: number };
}

/** Limits for files of stored conversations. */
export const storedLimits: FileLimits = {
  generated: 256 * mib,
  unsent: { files: 100, bytes: 256 * mib },
};
/** Limits for files of conversations in memory. */
export const temporaryLimits: FileLimits = {
  generated: 16 * mib,
  unsent: { files: 20, bytes: 32 * mib },
};
