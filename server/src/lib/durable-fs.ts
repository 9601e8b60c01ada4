import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code.ts';

// What survives a cut of the power: a file counts as written once its bytes and its name are on the
// disk, and the name is kept by the folder.

/** Writes a file that does not exist yet, down to the disk. Its name needs `syncFolder` as well. */
export async function writeNewFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a folder and those above it, where they are missing. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) {
    return;
  }
  const above = dirname(resolve(first));
  let folder = resolve(path);
  while (folder !== above && folder !== dirname(folder)) {
    folder = dirname(folder);
    await syncFolder(folder);
  }
}

/** Some systems sync no folders, only files: then there is nothing better to do. */
const cannotSync: readonly (string | undefined)[] = ['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Brings the names in a folder down to the disk. */
export async function syncFolder(path: string | Buffer): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    if (!cannotSync.includes(errorCode(error))) {
      throw error;
    }
  } finally {
    await folder.close();
  }
}
