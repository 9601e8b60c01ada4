import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Not a regular file but a directory, pipe or the like. */
export class NotAFileError extends Error {
  readonly code = 'ENOTFILE';
}

export class FileTooLarge extends Error {
  readonly code = 'EFBIG';
}

/**
 * Reads a whole regular file, without blocking on a pipe.
 *
 * @throws NoFile
 * @throws FileTooLarge above `maxBytes`
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (!found.isFile()) {
      throw new NotAFileError(`${path} is not a file.`);
    }
    if (found.size > maxBytes) {
      throw new FileTooLarge(`${path} has ${found.size} bytes.`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}
