import type { Stats } from 'node:fs';
import { realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { makeFolder, syncFolder, writeNewFile } from '../../../platform/lib/durable-fs.ts';
import { toWriteProblem } from '../../../platform/lib/not-writable.ts';
import type { PackedFile } from '../format/skill-format.ts';
import { moveToTarget, recoverStaging, withStaging } from './skill-staging.ts';
import { checkFilePath, type SkillPath, writablePath } from './writable-path.ts';
import { writeFolder } from './write-folder.ts';

/**
 * Writes local skills durably, one write at a time. A `folder` is relative to the folder of local
 * skills, a `path` to the skill's folder. A crash at any time leaves the old state or the new one.
 * The caller must check sizes and contents.
 */
export interface SkillWriter {
  /** Creates or replaces a skill's folder with exactly these files. */
  install(folder: string, files: readonly PackedFile[]): Promise<void>;
  remove(folder: string): Promise<void>;
  /** An existing file stays executable if it was. */
  writeFile(folder: string, path: string, bytes: Uint8Array): Promise<void>;
  /** Also deletes folders that become empty. */
  removeFile(folder: string, path: string): Promise<void>;
  moveFile(folder: string, from: string, to: string): Promise<void>;
  /** Cleans up after a crash. Call it once before skills are read. */
  recover(): Promise<void>;
  /** Runs a read and the following write exclusively. */
  exclusive<Result>(run: () => Promise<Result>): Promise<Result>;
}

interface Options {
  cluster: Cluster;
  /** The current folder of local skills; it need not exist yet. */
  directory: () => string;
  /** Wraps writes of files, outside of the lock. */
  writeFiles?: SkillWriter['exclusive'] | undefined;
}

export function createSkillWriter(options: Options): SkillWriter {
  const { cluster, directory, writeFiles = (run) => run() } = options;
  const withLock: SkillWriter['exclusive'] = (run) => cluster.withLock('skills', run);
  const exclusive: SkillWriter['exclusive'] = (run) => writeFiles(() => withLock(run));
  const write = (run: (root: string) => Promise<void>) =>
    exclusive(async () => {
      try {
        await makeFolder(directory());
        await run(await realpath(directory()));
      } catch (error) {
        throw toWriteProblem(error, 'The folder of local skills');
      }
    });
  return {
    install: (folder, files) => write((root) => install(root, folder, files)),
    remove: (folder) => write((root) => remove(root, folder)),
    writeFile: (folder, path, bytes) => write((root) => writeFile(root, { folder, path }, bytes)),
    removeFile: (folder, path) => write((root) => removeFile(root, { folder, path })),
    moveFile: (folder, from, to) => write((root) => moveFile(root, { folder, path: from }, to)),
    recover: () =>
      withLock(async () => {
        const root = await realpath(directory()).catch(() => undefined);
        if (root !== undefined) {
          await recoverStaging(root).catch((error: unknown) => {
            throw toWriteProblem(error, 'The folder of local skills');
          });
        }
      }),
    exclusive,
  };
}

type FilePath = Required<SkillPath>;

async function install(root: string, folder: string, files: readonly PackedFile[]): Promise<void> {
  const { found } = await writablePath(root, { folder });
  if (found && !found.isDirectory()) {
    throw problem('conflict', `"${folder}" is a file among the skills. Move it away first.`);
  }
  for (const { path } of files) {
    checkFilePath(path);
  }
  await withStaging(root, async (entry) => {
    await writeFolder(join(entry, 'new'), files);
    await moveToTarget(entry, root, folder);
  });
}

async function remove(root: string, folder: string): Promise<void> {
  const path = await skillFolder(root, folder);
  await withStaging(root, async (entry) => {
    await rename(path, join(entry, 'removed'));
    await syncFolder(dirname(path));
  });
}

async function writeFile(root: string, target: FilePath, bytes: Uint8Array): Promise<void> {
  await skillFolder(root, target.folder);
  const { path, found } = await writablePath(root, target);
  if (found && !found.isFile()) {
    throw problem('conflict', `"${target.path}" is a folder. Choose another name for the file.`);
  }
  await withStaging(root, async (entry) => {
    const staged = join(entry, 'file');
    await writeNewFile(staged, bytes, (found?.mode ?? 0) & 0o111 ? 0o755 : 0o644);
    await makeFolder(dirname(path));
    await rename(staged, path);
    await syncFolder(dirname(path));
  });
}

async function removeFile(root: string, target: FilePath): Promise<void> {
  const { path } = await fileOf(root, target);
  await unlink(path);
  await removeEmptyFolders(dirname(path), await skillFolder(root, target.folder));
}

async function moveFile(root: string, from: FilePath, to: string): Promise<void> {
  const source = await fileOf(root, from);
  const target = await writablePath(root, { folder: from.folder, path: to });
  // On a case-insensitive file system, `skill.md` is found under the name `SKILL.md`.
  if (target.found && target.found.ino !== source.found.ino) {
    throw problem('conflict', `There is "${to}" already. Choose another name.`);
  }
  await makeFolder(dirname(target.path));
  await rename(source.path, target.path);
  await syncFolder(dirname(target.path));
  await removeEmptyFolders(dirname(source.path), await skillFolder(root, from.folder));
}

async function skillFolder(root: string, folder: string): Promise<string> {
  const { path, found } = await writablePath(root, { folder });
  if (!found?.isDirectory()) {
    throw problem('not-found', `There is no folder "${folder}" among the local skills.`);
  }
  return path;
}

async function fileOf(root: string, target: FilePath): Promise<{ path: string; found: Stats }> {
  const { path, found } = await writablePath(root, target);
  if (!found?.isFile()) {
    throw problem('not-found', `There is no file "${target.path}" in "${target.folder}".`);
  }
  return { path, found };
}

/** Deletes a folder if it is empty, and then its empty ancestors. */
async function removeEmptyFolders(folder: string, last: string): Promise<void> {
  let current = folder;
  while (current !== last && (await removeIfEmpty(current))) {
    current = dirname(current);
  }
  await syncFolder(current);
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}
