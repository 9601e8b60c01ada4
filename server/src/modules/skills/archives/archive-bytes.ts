import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Random access to an archive. It reads synchronously: use it in a worker if it is a file. */
export interface ArchiveBytes {
  length: number;
  /** The bytes between two offsets, fewer at the end. Not to be changed. */
  read(start: number, end: number): Buffer;
}

export function inMemory(bytes: Buffer): ArchiveBytes {
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Calls `use` with an open file, and closes it afterwards. */
export async function withArchiveFile<Result>(
  path: string,
  use: (bytes: ArchiveBytes) => Promise<Result>,
): Promise<Result> {
  const file = openSync(path, 'r');
  try {
    const { size: length } = fstatSync(file);
    return await use({
      length,
      read: (start, end) => readRange(file, start, Math.min(end, length)),
    });
  } finally {
    closeSync(file);
  }
}

function readRange(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) {
      break;
    }
    filled += count;
  }
  return bytes.subarray(0, filled);
}

const chunkBytes = 1024 * 1024;

/** All bytes in order. */
export function* readChunks({ length, read }: ArchiveBytes): Generator<Buffer> {
  for (let start = 0; start < length; start += chunkBytes) {
    yield read(start, start + chunkBytes);
  }
}
