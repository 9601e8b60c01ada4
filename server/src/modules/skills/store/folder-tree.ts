import type { FolderEntry } from './folder-entry.ts';
import type { FolderChange, FolderSource } from './folder-skill.ts';
import type { FolderWatch } from './folder-watch.ts';
import { addFolder, type KnownFolder, replaceSkill, sortChildren } from './known-folder.ts';
import type { createPlainReader } from './read-plain-folder.ts';
import type { ScanLimits } from './scan-limits.ts';

/** The known folders of a source, and the skills found in them. */
export interface FolderTree {
  readonly source: FolderSource;
  readonly limits: ScanLimits;
  watch: FolderWatch<KnownFolder>;
  readonly root: KnownFolder;
  readonly readPlain: ReturnType<typeof createPlainReader>;
  /** Number of folders below the root. */
  folders: number;
  /** Number of folders skipped because of the depth limit, and of the count limit. */
  tooDeep: number;
  tooMany: number;
  /** Folders that are not readable. */
  readonly closed: Set<KnownFolder>;
  /** Paths of plugin files and typed skills, in folders without a skill. */
  readonly foreign: Map<KnownFolder, readonly string[]>;
  /** Links that are not followed. */
  readonly links: Set<KnownFolder>;
  /** Folders were added or removed while the limit was reached: decide again which are scanned. */
  isOutdated: boolean;
  /** Changes since the last call. */
  changes: FolderChange[];
  isClosed: boolean;
}

/** Whether skills are looked for below a folder. */
function hasSkillsBelow({ source }: FolderTree, { skill }: KnownFolder): boolean {
  return !skill || source.recursive;
}

/** Whether the subfolders of a folder are scanned. */
export function goesDeeper(tree: FolderTree, folder: KnownFolder): boolean {
  return hasSkillsBelow(tree, folder) && folder.depth < tree.limits.maxDepth;
}

/** Sets the subfolders of a folder; if the limit is reached, the first of them. */
export function setSubfolders(
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

/** Opens an entry that may be a folder: a known one, a new one, or none. */
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

/** Removes everything below a folder from the tree. */
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

/** Sets how many subfolders of a folder are skipped. */
function leaveOut(tree: FolderTree, folder: KnownFolder, count: number): void {
  const reason = folder.depth < tree.limits.maxDepth ? 'tooMany' : 'tooDeep';
  tree[reason] += count - folder.leftOut;
  folder.leftOut = count;
}
