import { relative, sep } from 'node:path';
import { isForbidden } from '../lib/not-readable.ts';
import { pacedLstatIfAny, pacedReadFolder, pacedStat } from '../lib/paced-fs.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
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
import { enterOnly, type FolderTree, forget, goesDeeper } from './folder-tree.ts';
import { foreignFiles } from './foreign-files.ts';
import { isAbove, isReached, type KnownFolder, replaceSkill } from './known-folder.ts';
import { readSkillFile } from './read-skill-file.ts';

const maxAtOnce = 32;

/**
 * Looks at folders and those below. Where there is no room for all, which folders have some depends on
 * nothing but the folders: after a change everything is looked at again, from the top.
 */
export async function lookAgain(tree: FolderTree, folders: readonly KnownFolder[]): Promise<void> {
  const isFirst = tree.root.state === undefined;
  await lookAt(tree, folders);
  if (tree.isOutdated && !isFirst && !tree.isClosed) {
    forget(tree, tree.root);
    await lookAt(tree, [tree.root]);
  }
  tree.isOutdated = false;
}

/** Looks at folders level by level, and into those that changed; who comes first has room first. */
async function lookAt(tree: FolderTree, folders: readonly KnownFolder[]): Promise<void> {
  let level = folders;
  while (level.length > 0) {
    const below: KnownFolder[] = [];
    for (let at = 0; at < level.length; at += maxAtOnce) {
      const some = level.slice(at, at + maxAtOnce);
      const entries = await Promise.all(some.map((folder) => lookInto(tree, folder)));
      for (const [index, folder] of some.entries()) {
        const inside = entries[index];
        if (inside) {
          enterOnly(tree, folder, inside);
        }
        below.push(...(folder.children?.values() ?? []));
      }
    }
    level = below;
  }
}

/** What is in a folder that has changed; undefined when it has not, or is not there. */
async function lookInto(tree: FolderTree, folder: KnownFolder): Promise<FolderEntry[] | undefined> {
  if (tree.isClosed || !isReached(folder, tree.root)) {
    return undefined;
  }
  try {
    return (await hasChanged(tree, folder)) ? await read(tree, folder) : undefined;
  } catch (error) {
    // It has gone, is something else by now, or may not be read.
    forget(tree, folder);
    if (isForbidden(error) && folder !== tree.root) {
      tree.closed.add(folder);
    } else if (folder.isLink && folder !== tree.root && !(await leadsToFile(tree, folder))) {
      tree.links.add(folder);
    }
    return undefined;
  }
}

/** Whether a link that leads to no folder leads to a file of the source, or has gone. */
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
  // Of what is beside a skill, nothing is kept.
  const isSettled = skill?.name === 'SKILL.md' && !goesDeeper(tree, folder);
  return !isSettled && !isSameState(state, await pacedStat(path));
}

/**
 * Reads a folder: its skill, and what is below. Throws when it is no folder of the source. Watched first, so
 * that what changes while it is read is noticed.
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
    throw new Error(`${folder.path} is a link to a folder it is in.`);
  }
  if (tree.isClosed) {
    return undefined;
  }
  folder.target = target;
  tree.links.delete(folder);
  if (folder.state && folder.state.ino !== stats.ino) {
    // Another folder has taken the path of the one that is watched.
    folder.state = undefined;
    return read(tree, folder);
  }
  const said = plain ? [] : await pacedReadFolder(folder.path);
  const entries = said.map((each) => folderEntry(each.name, each));
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

/** Undefined when the file has just gone. */
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
