import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder, writeNewFile } from './durable-fs.ts';

const temporaryName = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/**
 * Writes a file atomically and durably: readers, even after a crash, see the old or the new
 * content. Uses a temporary file, fsync, rename and fsync of the directory.
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

/** Whether a name is that of a temporary file. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/** Removes temporary files of writes that were interrupted by a crash. */
export async function removeTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isTemporaryName)) {
    await rm(join(folder, name), { force: true });
  }
}
