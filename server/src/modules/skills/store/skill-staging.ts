import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { stagingFolder } from '@knowhow/shared/skills/clutter-names';
import { makeFolder, syncFolder, writeNewFile } from '../../../platform/lib/durable-fs.ts';
import { ignoreMissing } from './walk-folder.ts';
import { writablePath } from './writable-path.ts';

// Each write has its own folder in the staging folder, on the same file system as the skills:

/**
 * Runs a write with its own staging folder, and cleans up afterwards. Writes must not run
 * concurrently.
 */
export async function withStaging(
  root: string,
  write: (entry: string) => Promise<void>,
): Promise<void> {
  const staging = join(root, stagingFolder);
  const found = await lstat(staging).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    throw problem('conflict', `"${stagingFolder}" is a symbolic link. Remove it, then try again.`);
  }
  if (found) {
    // Cleanup after an earlier write failed with a disk error.
    await settleAll(root, staging);
  } else {
    await mkdir(staging);
  }
  const entry = join(staging, randomUUID());
  await mkdir(entry);
  try {
    await write(entry);
  } finally {
    // The write succeeded: cleanup can be repeated at the next start.
    await settle(root, entry).catch(() => undefined);
    await rmdir(staging).catch(() => undefined);
  }
}

/** Moves the staged folder `new` to its target, replacing what is there. */
export async function moveToTarget(entry: string, root: string, folder: string): Promise<void> {
  const { path, found } = await writablePath(root, { folder });
  await makeFolder(dirname(path));
  if (found) {
    await writeNewFile(join(entry, 'target'), folder, 0o644);
    for (const above of [entry, dirname(entry), root]) {
      await syncFolder(above);
    }
    await rename(path, join(entry, 'old'));
  }
  await rename(join(entry, 'new'), path);
  await syncFolder(dirname(path));
}

/** Cleans up after a crash: every skill is the old or the new one, without leftovers. */
export async function recoverStaging(root: string): Promise<void> {
  const staging = join(root, stagingFolder);
  const found = await lstat(staging).catch(() => undefined);
  if (found?.isDirectory()) {
    await settleAll(root, staging);
  }
  await rm(staging, { recursive: true, force: true });
}

async function settleAll(root: string, staging: string): Promise<void> {
  for (const name of await readdir(staging)) {
    await settle(root, join(staging, name));
  }
}

/** Restores the old folder if nothing has replaced it, and deletes the rest. */
async function settle(root: string, entry: string): Promise<void> {
  const old = await ignoreMissing(lstat(join(entry, 'old')));
  const folder = await ignoreMissing(readFile(join(entry, 'target'), 'utf8'));
  if (folder !== undefined && old) {
    const target = await writablePath(root, { folder }).catch(() => undefined);
    if (target && !target.found) {
      await makeFolder(dirname(target.path));
      await rename(join(entry, 'old'), target.path);
      await syncFolder(dirname(target.path));
    }
  }
  await rm(entry, { recursive: true, force: true });
}
