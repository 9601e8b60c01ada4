import type { FolderEntry } from './folder-entry.ts';
import type { FolderChange, FolderSource } from './folder-skill.ts';
import type { FolderWatch } from './folder-watch.ts';
import { addFolder, type KnownFolder, replaceSkill, sortChildren } from './known-folder.ts';
import type { createPlainReader } from './read-plain-folder.ts';
import type { ScanLimits } from './scan-limits.ts';

/** The folders of a source that are known, and what has been found in them. */
export interface FolderTree {
  readonly source: FolderSource;
  readonly limits: ScanLimits;
  watch: FolderWatch<KnownFolder>;
  readonly root: KnownFolder;
  readonly readPlain: ReturnType<typeof createPlainReader>;
  /** Below the root. */
  folders: number;
  /** Folders that are not looked into: below the deepest level, and for want of room. */
  tooDeep: number;
  tooMany: number;
  /** Folders that may not be read. */
  readonly closed: Set<KnownFolder>;
  /** Files of folders without a skill that belong to plugins or typed skills: their paths. */
  readonly foreign: Map<KnownFolder, readonly string[]>;
  /** Links that are not followed. */
  readonly links: Set<KnownFolder>;
  /** A folder came or went while there was no room for all: who has room is to be worked out again. */
  isOutdated: boolean;
  /** What has been found since it was last asked for. */
  changes: FolderChange[];
  isClosed: boolean;
}

/** Whether skills are in the folders in a folder, however deep. */
function hasSkillsBelow({ source }: FolderTree, { skill }: KnownFolder): boolean {
  return !skill || source.recursive;
}

/** Whether the folders in a folder are looked into. */
export function goesDeeper(tree: FolderTree, folder: KnownFolder): boolean {
  return hasSkillsBelow(tree, folder) && folder.depth < tree.limits.maxDepth;
}

/** From now on, these and no other folders are in a folder; where there is no room, the first of them. */
export function enterOnly(
  tree: FolderTree,
  parent: KnownFolder,
  entries: readonly FolderEntry[],
): void {
  leaveOut(tree, parent, 0);
  if (hasSkillsBelow(tree, parent) && !goesDeeper(tree, parent)) {
    leaveOut(tree, parent, entries.filter(({ isFolder }) => isFolder).length);
  }
  const entered = goesDeeper(tree, parent) ? entries : [];
  const names = new Set(entered.map(({ name }) => name));
  for (const [name, child] of parent.children ?? []) {
    if (!names.has(name)) {
      leave(tree, child);
    }
  }
  for (const entry of entered.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    enter(tree, parent, entry);
  }
  sortChildren(parent);
}

/** Goes by an entry into the folder it may be: a known one, a new one, or none. */
export function enter(
  tree: FolderTree,
  parent: KnownFolder,
  { name, isLink, isFolder }: FolderEntry,
): KnownFolder[] {
  const known = parent.children?.get(name);
  if (known && (isLink || isFolder) && known.isLink === isLink) {
    return [known];
  }
  if (known) {
    leave(tree, known);
  }
  if (!(isLink || isFolder)) {
    return [];
  }
  if (tree.folders >= tree.limits.maxFolders) {
    leaveOut(tree, parent, parent.leftOut + 1);
    tree.isOutdated = true;
    return [];
  }
  tree.folders += 1;
  return [addFolder(parent, name, isLink)];
}

/** Forgets what was in a folder. */
export function forget(tree: FolderTree, folder: KnownFolder): void {
  for (const child of folder.children?.values() ?? []) {
    leave(tree, child);
  }
  leaveOut(tree, folder, 0);
  tree.closed.delete(folder);
  tree.foreign.delete(folder);
  tree.links.delete(folder);
  tree.watch.stop(folder);
  tree.changes.push(...replaceSkill(folder, undefined));
  folder.state = undefined;
  folder.children = undefined;
}

function leave(tree: FolderTree, folder: KnownFolder): void {
  tree.isOutdated ||= tree.tooMany > 0;
  forget(tree, folder);
  folder.parent?.children?.delete(folder.name);
  tree.folders -= 1;
}

/** From now on, so many of the folders in a folder are not looked into. */
function leaveOut(tree: FolderTree, folder: KnownFolder, count: number): void {
  const reason = folder.depth < tree.limits.maxDepth ? 'tooMany' : 'tooDeep';
  tree[reason] += count - folder.leftOut;
  folder.leftOut = count;
}
