import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder, writeNewFile } from './durable-fs.ts';

const temporaryName = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/**
 * Writes a file so that readers, and a crash at any moment, see the old content or the new one:
 * a temporary file beside it, fsync, rename, fsync of the folder.
 *
 * @param mode permission bits of the new file
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeNewFile(temporary, content, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Whether a file of that name is on its way to another. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/** Removes what writing files in a folder has left when the process was killed in the middle of it. */
export async function removeTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isTemporaryName)) {
    await rm(join(folder, name), { force: true });
  }
}
