/** What a run may use. Sizes are in bytes. */
export interface RunLimits {
  seconds: number;
  /** Of all its processes together. */
  memory: number;
  processes: number;
  openFiles: number;
  /** What its work folder and `/tmp` hold together. */
  workBytes: number;
  workFiles: number;
  /** The largest file it may write. */
  fileBytes: number;
  /** What is kept of each stream. */
  streamBytes: number;
}

const mebibyte = 1024 * 1024;

export const defaultRunLimits: RunLimits = {
  seconds: 60,
  memory: 512 * mebibyte,
  processes: 64,
  openFiles: 128,
  workBytes: 64 * mebibyte,
  workFiles: 2048,
  fileBytes: 32 * mebibyte,
  streamBytes: 64 * 1024,
};

/** What comes back of the work folder. */
export const outputLimits = { files: 32, fileBytes: 10 * mebibyte, bytes: 32 * mebibyte };

/** Who writes more than this to a stream is ended. */
export const floodBytes = 64 * mebibyte;
