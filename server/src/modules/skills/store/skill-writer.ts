import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { stagingFolder } from '@knowhow/shared/skills/clutter-names';
import type { PackedFile } from '@knowhow/skill-format';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { makeFolder, syncFolder, writeNewFile } from '../../../platform/lib/durable-fs.ts';
import { runConcurrently } from '../../../platform/lib/run-concurrently.ts';
import { toWriteProblem } from '../../../platform/lib/write-problem.ts';
import { ignoreMissing } from './walk-folder.ts';
import { checkFilePath, type SkillPath, writablePath } from './writable-path.ts';
import { writeFolder } from './write-folder.ts';

/**
 * Writes local skills durably, one write at a time. A `folder` is relative to the folder of local
 * skills, a `path` to the skill's folder. A crash at any time leaves the old state or the new one.
 * The caller must check sizes and contents.
 */
export interface SkillWriter {
  /** Whether folders are only written as a whole, because they may hold edits that are not published. */
  readonly isWhole: boolean;
  /** Creates or replaces a skill's folder with exactly these files. */
  install(folder: string, files: readonly PackedFile[]): Promise<void>;
  /**
   * Does the same for several folders, much faster than one after the other. If one cannot be written, some of the others
   * may be installed.
   *
   * @param onInstalled called for each folder that is installed
   */
  installAll<Folder extends WholeFolder>(
    folders: readonly Folder[],
    onInstalled: (folder: Folder) => void,
  ): Promise<void>;
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

/** A skill's folder, and all that it will hold. */
interface WholeFolder {
  /** Relative to the folder of local skills. */
  folder: string;
  files: readonly PackedFile[];
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
    isWhole: false,
    install: (folder, files) => write((root) => installAll(root, [{ folder, files }])),
    installAll: (folders, onInstalled) => write((root) => installAll(root, folders, onInstalled)),
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

async function installAll<Folder extends WholeFolder>(
  root: string,
  folders: readonly Folder[],
  onInstalled: (folder: Folder) => void = () => undefined,
): Promise<void> {
  /** Folders that exist, or are named twice. */
  const replaced = new Set<string>();
  const seen = new Set<string>();
  for (const { folder, files } of folders) {
    const { found } = await writablePath(root, { folder });
    if (found && !found.isDirectory()) {
      throw problem('conflict', `"${folder}" is a file among the skills. Move it away first.`);
    }
    for (const { path } of files) {
      checkFilePath(path);
    }
    if (found || seen.has(folder)) {
      replaced.add(folder);
    }
    seen.add(folder);
  }
  await withStagings(root, folders, async (staged) => {
    await runConcurrently(staged, maxTogether, async ({ entry, item: { folder, files } }) => {
      await writeFolder(join(entry, 'new'), files);
      if (replaced.has(folder)) {
        await writeTarget(entry, folder);
      }
    });
    if (replaced.size > 0) {
      await syncFolder(join(root, stagingFolder));
      await syncFolder(root);
    }
    await moveToTargets(root, staged, { replaced, onInstalled });
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

// Each write has its own folder in the staging folder, on the same file system as the skills:

/** Runs a write with its own staging folder, and cleans up afterwards. Writes must not run concurrently. */
function withStaging(root: string, write: (entry: string) => Promise<void>): Promise<void> {
  return withStagings(root, [undefined], ([only]) => write(only?.entry ?? ''));
}

/** An item, and its own staging folder. */
interface Staged<Item> {
  entry: string;
  item: Item;
}

/** The same with a staging folder for each item. */
async function withStagings<Item>(
  root: string,
  items: readonly Item[],
  write: (staged: readonly Staged<Item>[]) => Promise<void>,
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
  const staged = items.map((item) => ({ item, entry: join(staging, randomUUID()) }));
  await runConcurrently(staged, maxTogether, ({ entry }) => mkdir(entry));
  try {
    await write(staged);
  } finally {
    // The write succeeded: cleanup can be repeated at the next start.
    await runConcurrently(staged, maxTogether, ({ entry }) => settle(root, entry)).catch(
      () => undefined,
    );
    await rmdir(staging).catch(() => undefined);
  }
}

/** Staging folders that are written at the same time. */
const maxTogether = 8;

/** Names the folder that an entry replaces, so that it is restored after a crash. */
async function writeTarget(entry: string, folder: string): Promise<void> {
  await writeNewFile(join(entry, 'target'), folder, 0o644);
  await syncFolder(entry);
}

interface Move<Folder> {
  /** Folders whose entries have a `target`. */
  replaced: ReadonlySet<string>;
  onInstalled: (folder: Folder) => void;
}

/** Renames each staged folder to its target. */
async function moveToTargets<Folder extends WholeFolder>(
  root: string,
  staged: readonly Staged<Folder>[],
  { replaced, onInstalled }: Move<Folder>,
): Promise<void> {
  const parents = new Set<string>();
  const moved: Folder[] = [];
  try {
    for (const { entry, item } of staged) {
      const { path, found } = await writablePath(root, item);
      await makeFolder(dirname(path));
      if (found && !replaced.has(item.folder)) {
        // It was not there a moment ago: something else has created it.
        await writeTarget(entry, item.folder);
        await syncFolder(dirname(entry));
        await syncFolder(root);
      }
      if (found) {
        await rename(path, join(entry, 'old'));
      }
      await rename(join(entry, 'new'), path);
      parents.add(dirname(path));
      moved.push(item);
    }
  } finally {
    moved.forEach(onInstalled);
    for (const parent of parents) {
      await syncFolder(parent);
    }
  }
}

/** Cleans up after a crash: every skill is the old or the new one, without leftovers. */
async function recoverStaging(root: string): Promise<void> {
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
