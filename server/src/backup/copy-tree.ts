import { copyFile, link, lstat, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { makeFolder, syncFolder } from '../lib/durable-fs.ts';
import { errorCode } from '../lib/error-code.ts';
import { isOddName } from './backup-paths.ts';

/**
 * Copies a file, a folder with all in it, or a link as it is, down to the disk. What else there is, such
 * as a pipe, will be in both folders where the disk can do that, and is passed over elsewhere. Names keep
 * their bytes; of one that is not in UTF-8, all that read the same are copied and none is overwritten.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  const above = dirname(to);
  await makeFolder(above);
  const names = isOddName(basename(from)) ? await namesReadAs(from) : [];
  if (names.length === 0) {
    await copy(Buffer.from(from), Buffer.from(to));
  }
  for (const name of names) {
    const target = inside(Buffer.from(above), name);
    if (!(await isTaken(target))) {
      await copy(inside(Buffer.from(dirname(from)), name), target);
    }
  }
  await syncFolder(above);
}

async function copy(from: Buffer, to: Buffer): Promise<void> {
  const found = await lstat(from);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(from, { encoding: 'buffer' }), to);
  } else if (found.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from, { encoding: 'buffer' })) {
      await copy(inside(from, name), inside(to, name));
    }
    await syncFolder(to);
  } else if (found.isFile()) {
    await copyFile(from, to);
    const written = await open(to, 'r');
    try {
      await written.sync();
    } finally {
      await written.close();
    }
  } else {
    await link(from, to).catch(() => undefined);
  }
}

async function namesReadAs(path: string): Promise<Buffer[]> {
  const names = await readdir(dirname(path), { encoding: 'buffer' });
  return names.filter((name) => name.toString() === basename(path));
}

function inside(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

async function isTaken(path: Buffer): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return false;
    }
    throw error;
  }
}
