import { sep } from 'node:path';
import { pacedReadFolder, pacedStat } from '../lib/paced-fs.ts';
import { visitAll } from '../lib/visit-all.ts';
import {
  entryState,
  type FolderEntry,
  folderEntry,
  isSameState,
  isVisited,
  readEntry,
  skillFileAmong,
  statFile,
  statFolder,
} from './folder-entry.ts';
import { createFolderWatch, type FolderWatch } from './folder-watch.ts';
import {
  addFolder,
  collectSkills,
  isReached,
  type KnownFolder,
  nearestFolder,
  replaceSkill,
  rootFolder,
  sortChildren,
} from './known-folder.ts';
import { readSkillFile } from './read-skill-file.ts';
import type { FoundSkill, SkillChange } from './skill-snapshot.ts';
import type { SkillSource } from './skill-source.ts';

/** The folders of one source, and the skills found in them. Reads only what changed. */
export interface SourceTree {
  readonly root: string;
  /** Everything found, in the order of the paths. */
  found(): FoundSkill[];
  /** Looks at every folder, and into those that changed. Gives the skills that did. */
  check(): Promise<SkillChange[]>;
  /** Looks into one folder, wherever it is, and at those below. */
  checkFolder(directory: string): Promise<SkillChange[]>;
  /** Looks at what the watch has noticed. */
  update(): Promise<SkillChange[]>;
  close(): void;
}

interface Tree {
  readonly source: SkillSource;
  readonly watch: FolderWatch<KnownFolder>;
  readonly root: KnownFolder;
  /** Below the root. */
  folders: number;
  /** What has been found since it was last asked for. */
  changes: SkillChange[];
  isClosed: boolean;
}

const maxDepth = 6;
const maxFolders = 20_000;
const maxAtOnce = 32;

interface Notices {
  /** The watch has noticed something: `update` looks at it. Perhaps many times in a row. */
  onNotice: () => void;
  /** The watch may have missed something: `check` finds it. */
  onLate: () => void;
}

export function openSourceTree(source: SkillSource, { onNotice, onLate }: Notices): SourceTree {
  const watch = createFolderWatch<KnownFolder>(onNotice, onLate);
  const root = rootFolder(source.directory);
  const tree: Tree = { source, watch, root, folders: 0, changes: [], isClosed: false };
  const look = async (which: () => KnownFolder[] | Promise<KnownFolder[]>) => {
    await lookAt(tree, await which());
    const { changes } = tree;
    tree.changes = [];
    return changes;
  };
  return {
    root: root.path,
    found: () => collectSkills(root),
    check: () => look(() => [root]),
    checkFolder: (directory) =>
      look(() => {
        const place = root.state && nearestFolder(root, directory);
        return place ? foldersNamed(tree, place.folder, [place.name]) : [root];
      }),
    update: () => look(() => foldersNoticed(tree)),
    close: () => {
      tree.isClosed = true;
      forget(tree, root);
    },
  };
}

/** Looks at folders and those below, and into those that changed. */
function lookAt(tree: Tree, folders: readonly KnownFolder[]): Promise<void> {
  return visitAll(folders, maxAtOnce, async (folder) => {
    if (tree.isClosed || !isReached(folder, tree.root)) {
      return [];
    }
    try {
      if (await hasChanged(tree, folder)) {
        await read(tree, folder);
      }
    } catch {
      // It has gone, is something else by now, or may not be read.
      forget(tree, folder);
    }
    return folder.children?.values() ?? [];
  });
}

async function hasChanged(tree: Tree, folder: KnownFolder): Promise<boolean> {
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

/** Reads a folder: its skill, and what is below. Throws when it is no folder of the source. */
async function read(tree: Tree, folder: KnownFolder): Promise<void> {
  const { source, watch, root } = tree;
  const stats = await statFolder(root.path, folder);
  if (tree.isClosed) {
    return;
  }
  if (stats.ino !== folder.state?.ino || !watch.isWatching(folder)) {
    watch.start(folder);
  }
  const said = await pacedReadFolder(folder.path);
  const entries = said.map((each) => folderEntry(each.name, each));
  const entry = skillFileAmong(entries);
  const skill = entry && (await readSkill(source, folder.path, entry));
  tree.changes.push(...replaceSkill(folder, skill));
  folder.state = entryState(stats);
  folder.isStale = false;
  enterOnly(tree, folder, goesDeeper(tree, folder) ? entries.filter(isVisited) : []);
}

/** Undefined when the file has just gone. */
async function readSkill(
  source: SkillSource,
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

function goesDeeper({ source }: Tree, { skill, depth }: KnownFolder): boolean {
  return (!skill || source.recursive) && depth < maxDepth;
}

async function foldersNoticed(tree: Tree): Promise<KnownFolder[]> {
  const found: KnownFolder[] = [];
  for (const [folder, names] of tree.watch.take()) {
    found.push(...(await foldersNamed(tree, folder, [...names])));
  }
  return found;
}

/** The folders to look into after something happened to some names in a folder; '' is itself. */
async function foldersNamed(
  tree: Tree,
  folder: KnownFolder,
  names: readonly string[],
): Promise<KnownFolder[]> {
  if (names.some((name) => name === '' || name.toLowerCase() === 'skill.md')) {
    return [asStale(folder)];
  }
  const found: KnownFolder[] = [];
  for (const name of goesDeeper(tree, folder) ? names : []) {
    const entry = isVisited({ name }) ? await readEntry(folder.path, name) : undefined;
    found.push(...enter(tree, folder, entry ?? { name, isLink: false, isFolder: false }));
  }
  sortChildren(folder);
  return found.map(asStale);
}

function asStale(folder: KnownFolder): KnownFolder {
  folder.isStale = true;
  return folder;
}

/** From now on, these and no other folders are in a folder. */
function enterOnly(tree: Tree, parent: KnownFolder, entries: readonly FolderEntry[]): void {
  const names = new Set(entries.map(({ name }) => name));
  for (const [name, child] of parent.children ?? []) {
    if (!names.has(name)) {
      leave(tree, child);
    }
  }
  for (const entry of entries) {
    enter(tree, parent, entry);
  }
  sortChildren(parent);
}

/** Goes by an entry into the folder it may be: a known one, a new one, or none. */
function enter(
  tree: Tree,
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
  if (!(isLink || isFolder) || tree.folders >= maxFolders) {
    return [];
  }
  tree.folders += 1;
  return [addFolder(parent, name, isLink)];
}

function leave(tree: Tree, folder: KnownFolder): void {
  forget(tree, folder);
  folder.parent?.children?.delete(folder.name);
  tree.folders -= 1;
}

/** Forgets what was in a folder. */
function forget(tree: Tree, folder: KnownFolder): void {
  for (const child of folder.children?.values() ?? []) {
    leave(tree, child);
  }
  tree.watch.stop(folder);
  tree.changes.push(...replaceSkill(folder, undefined));
  folder.state = undefined;
  folder.children = undefined;
}
