import { copyFile, link, lstat, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { makeFolder, syncFolder } from '../../platform/lib/durable-fs.ts';
import { errorCode } from '../../platform/lib/error-code.ts';
import { isLossyName } from './backup-paths.ts';

/**
 * Copies a file, a folder recursively, or a link itself, and syncs it to disk. Special files, such as pipes, are
 * hard-linked if the file system allows it, else skipped. Names keep their bytes; if a name is not UTF-8, all files
 * with the same decoded name are copied, and none is overwritten.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  const parent = dirname(to);
  await makeFolder(parent);
  const names = isLossyName(basename(from)) ? await findNamesDecodedAs(from) : [];
  if (names.length === 0) {
    await copy(Buffer.from(from), Buffer.from(to));
  }
  for (const name of names) {
    const target = joinPath(Buffer.from(parent), name);
    if (!(await exists(target))) {
      await copy(joinPath(Buffer.from(dirname(from)), name), target);
    }
  }
  await syncFolder(parent);
}

async function copy(from: Buffer, to: Buffer): Promise<void> {
  const found = await lstat(from);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(from, { encoding: 'buffer' }), to);
  } else if (found.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from, { encoding: 'buffer' })) {
      await copy(joinPath(from, name), joinPath(to, name));
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

async function findNamesDecodedAs(path: string): Promise<Buffer[]> {
  const names = await readdir(dirname(path), { encoding: 'buffer' });
  return names.filter((name) => name.toString() === basename(path));
}

function joinPath(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

async function exists(path: Buffer): Promise<boolean> {
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
