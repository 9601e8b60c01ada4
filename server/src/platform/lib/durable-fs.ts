import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code.ts';

// Durability across power failures: a file is persisted once its content and its directory entry
// are synced.

/** Creates a file and syncs it to disk. Its directory entry requires `syncFolder` as well. */
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

/** Creates a directory and missing parents, and syncs them. */
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

/** Some systems cannot sync directories; nothing better is possible there. */
const cannotSync: readonly (string | undefined)[] = ['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Syncs a directory's entries to disk. */
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
