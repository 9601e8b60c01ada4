import { copyFile, link, lstat, open, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../lib/durable-fs.ts';

/**
 * Copies a file, a folder with all in it, or a link as it is, down to the disk. What else there is, such
 * as a pipe, will be in both places where the disk can do that, and is passed over elsewhere.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  const found = await lstat(from);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(from), to);
  } else if (found.isDirectory()) {
    await makeFolder(to);
    for (const name of await readdir(from)) {
      await copyTree(join(from, name), join(to, name));
    }
    await syncFolder(to);
  } else if (found.isFile()) {
    await copyFile(from, to);
    const copy = await open(to, 'r');
    await copy.sync().finally(() => copy.close());
  } else {
    await link(from, to).catch(() => undefined);
  }
  await syncFolder(dirname(to));
}
