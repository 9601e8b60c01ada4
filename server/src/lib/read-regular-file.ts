import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Not a file, but a folder, a pipe or the like. */
export class NoFile extends Error {
  readonly code = 'ENOTFILE';
}

/** Reads a file whole, and never waits for what others may write, as at a pipe. Throws `NoFile`. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) {
      throw new NoFile(`${path} is no file.`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}
