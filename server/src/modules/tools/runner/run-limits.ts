/** Limits of a run. Sizes are in bytes. */
export interface RunLimits {
  seconds: number;
  /** Total of all its processes. */
  memory: number;
  processes: number;
  openFiles: number;
  /** Total of its work folder and `/tmp`. */
  workBytes: number;
  workFiles: number;
  /** Maximum size of a written file. */
  fileBytes: number;
  /** Maximum buffered bytes of each stream. */
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

/** Limits of the returned files. */
export const outputLimits = { files: 32, fileBytes: 10 * mebibyte, bytes: 32 * mebibyte };

/** A script that writes more than this to a stream is killed. */
export const floodBytes = 64 * mebibyte;
