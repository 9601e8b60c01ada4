import { relative, sep } from 'node:path';
import { pacedLstatIfAny, pacedReadFolder, pacedStat } from '../../../platform/lib/paced-fs.ts';
import { isForbidden } from '../../../platform/lib/read-problem.ts';
import { resolveInside } from '../../../platform/lib/resolve-inside.ts';
import {
  entryState,
  type FolderEntry,
  folderEntry,
  isSameState,
  isVisited,
  skillFileAmong,
  statFile,
  statFolder,
} from './folder-entry.ts';
import type { FolderSource } from './folder-skill.ts';
import { type FolderTree, forget, goesDeeper, setSubfolders } from './folder-tree.ts';
import { foreignFiles } from './foreign-files.ts';
import { isAbove, isReached, type KnownFolder, replaceSkill } from './known-folder.ts';
import { readSkillFile } from './read-skill-file.ts';

const maxConcurrent = 32;

/**
 * Scans folders and their subfolders. If a limit is reached, the result must depend only on the
 * folders themselves: after a change, everything is scanned again from the top.
 */
export async function rescanFolders(
  tree: FolderTree,
  folders: readonly KnownFolder[],
): Promise<void> {
  const isFirst = tree.root.state === undefined;
  await lookAt(tree, folders);
  if (tree.isOutdated && !isFirst && !tree.isClosed) {
    forget(tree, tree.root);
    await lookAt(tree, [tree.root]);
  }
  tree.isOutdated = false;
}

/** Scans changed folders level by level, so that higher folders count first towards the limit. */
async function lookAt(tree: FolderTree, folders: readonly KnownFolder[]): Promise<void> {
  let level = folders;
  while (level.length > 0) {
    const below: KnownFolder[] = [];
    for (let at = 0; at < level.length; at += maxConcurrent) {
      const batch = level.slice(at, at + maxConcurrent);
      const entries = await Promise.all(batch.map((folder) => lookInto(tree, folder)));
      for (const [index, folder] of batch.entries()) {
        const inside = entries[index];
        if (inside) {
          setSubfolders(tree, folder, inside);
        }
        below.push(...(folder.children?.values() ?? []));
      }
    }
    level = below;
  }
}

/** Entries of a changed folder; undefined if it is unchanged or does not exist. */
async function lookInto(tree: FolderTree, folder: KnownFolder): Promise<FolderEntry[] | undefined> {
  if (tree.isClosed || !isReached(folder, tree.root)) {
    return undefined;
  }
  try {
    return (await hasChanged(tree, folder)) ? await read(tree, folder) : undefined;
  } catch (error) {
    // It was deleted or replaced, or is not readable.
    forget(tree, folder);
    if (isForbidden(error) && folder !== tree.root) {
      tree.closed.add(folder);
    } else if (folder.isLink && folder !== tree.root && !(await leadsToFile(tree, folder))) {
      tree.links.add(folder);
    }
    return undefined;
  }
}

/**
 * Whether a link that does not lead to a folder leads to a file of the source, or has been deleted.
 */
async function leadsToFile({ root }: FolderTree, { path }: KnownFolder): Promise<boolean> {
  if ((await pacedLstatIfAny(path).catch(() => undefined)) === undefined) {
    return true;
  }
  const target = await resolveInside(root.path, relative(root.path, path));
  return target !== undefined && (await pacedStat(target)).isFile();
}

async function hasChanged(tree: FolderTree, folder: KnownFolder): Promise<boolean> {
  const { state, isStale, skill, path } = folder;
  if (!state || isStale) {
    return true;
  }
  if (skill) {
    const stats = await statFile(path + sep + skill.name).catch(() => undefined);
    if (!stats || !isSameState(skill.state, stats)) {
      return true;
    }
  }
  // Other files next to a skill do not matter.
  const isSettled = skill?.name === 'SKILL.md' && !goesDeeper(tree, folder);
  return !isSettled && !isSameState(state, await pacedStat(path));
}

/**
 * Reads a folder: its skill and its entries. Throws if it is not a folder of the source. Starts the
 * watch first, so that changes during the read are noticed.
 */
async function read(tree: FolderTree, folder: KnownFolder): Promise<FolderEntry[] | undefined> {
  const { source, watch, root } = tree;
  if (!folder.state || !watch.isWatching(folder)) {
    watch.start(folder);
  }
  const isPlain = !source.recursive && !folder.isLink;
  const plain = isPlain ? await tree.readPlain(folder.path) : undefined;
  const { stats, target } = plain ?? (await statFolder(root.path, folder));
  if (target !== undefined && isAbove(folder, target)) {
    throw new Error(`${folder.path} is a link to one of its parent folders.`);
  }
  if (tree.isClosed) {
    return undefined;
  }
  folder.target = target;
  tree.links.delete(folder);
  if (folder.state && folder.state.ino !== stats.ino) {
    // The watched folder has been replaced by another.
    folder.state = undefined;
    return read(tree, folder);
  }
  const dirents = plain ? [] : await pacedReadFolder(folder.path);
  const entries = dirents.map((each) => folderEntry(each.name, each));
  const entry = skillFileAmong(entries);
  const skill = plain?.skill ?? (entry && (await readSkill(source, folder.path, entry)));
  tree.changes.push(...replaceSkill(folder, skill));
  noteForeign(tree, folder, skill ? [] : foreignFiles(entries));
  folder.state = entryState(stats);
  folder.isStale = false;
  return entries.filter(isVisited);
}

function noteForeign(tree: FolderTree, folder: KnownFolder, names: readonly string[]): void {
  if (names.length === 0) {
    tree.foreign.delete(folder);
  } else {
    tree.foreign.set(
      folder,
      names.map((name) => folder.path + sep + name),
    );
  }
}

/** Undefined if the file has just been deleted. */
async function readSkill(
  source: FolderSource,
  directory: string,
  entry: FolderEntry,
): Promise<KnownFolder['skill']> {
  const stats = await statFile(directory + sep + entry.name).catch(() => undefined);
  return (
    stats && {
      name: entry.name,
      state: entryState(stats),
      found: await readSkillFile(source, directory, entry, stats),
    }
  );
}
