import { isVisited, readEntry } from './folder-entry.ts';
import type { FolderChange, FolderSource, FoundInFolder } from './folder-skill.ts';
import { enter, type FolderTree, forget, goesDeeper } from './folder-tree.ts';
import type { FolderWatch } from './folder-watch.ts';
import { isForeignFile } from './foreign-files.ts';
import {
  collectSkills,
  holdsSkill,
  type KnownFolder,
  nearestFolder,
  rootFolder,
  sortChildren,
} from './known-folder.ts';
import { createPlainReader } from './read-plain-folder.ts';
import { rescanFolders } from './rescan-folders.ts';
import type { LeftOut, ScanLimits } from './scan-limits.ts';

/** The folder tree of one source, with the skills found in it. Reads only what has changed. */
export interface SourceTree {
  /** All results, ordered by path. */
  found(): FoundInFolder[];
  /** The folders with a skill, in the same order. */
  skillFolders(): KnownFolder[];
  /** Whether the source's folder existed at the last look; true before. */
  isThere(): boolean;
  /** Whether it has any skill; true before the first look. */
  hasSkills(): boolean;
  leftOut(): LeftOut;
  /** Checks every folder and reads those that changed. Returns changed skills. */
  check(): Promise<FolderChange[]>;
  /** Reads some folders and checks those below. */
  checkFolders(directories: readonly string[]): Promise<FolderChange[]>;
  /** Watches everything that is read from now on. */
  watchBy(watch: FolderWatch<KnownFolder>): void;
  /** Reads what the watch has noticed. */
  update(): Promise<FolderChange[]>;
  close(): void;
}

export function openSourceTree(source: FolderSource, limits: ScanLimits): SourceTree {
  const root = rootFolder(source.directory);
  const tree: FolderTree = {
    source,
    limits,
    watch: noWatch,
    root,
    changes: [],
    readPlain: createPlainReader(source),
    folders: 0,
    tooDeep: 0,
    tooMany: 0,
    isOutdated: false,
    isClosed: false,
    closed: new Set(),
    foreign: new Map(),
    links: new Set(),
  };
  let hasLooked = false;
  const look = async (which: () => KnownFolder[] | Promise<KnownFolder[]>) => {
    await rescanFolders(tree, await which());
    hasLooked = true;
    const { changes } = tree;
    tree.changes = [];
    return changes;
  };
  return {
    found: () => collectSkills(root).map(({ found }) => found),
    skillFolders: () => collectSkills(root).map(({ folder }) => folder),
    isThere: () => !hasLooked || root.state !== undefined,
    hasSkills: () => !hasLooked || holdsSkill(root),
    leftOut: () => {
      const { tooDeep, tooMany } = tree;
      const foreign = [...tree.foreign.values()].flat().sort();
      return {
        tooDeep,
        tooMany,
        foreign,
        closed: pathsOf(tree.closed),
        links: pathsOf(tree.links),
      };
    },
    check: () => look(() => [root]),
    checkFolders: (directories) => look(() => nearestFolders(tree, directories)),
    watchBy: (watch) => {
      tree.watch = watch;
    },
    update: () => look(() => noticedFolders(tree)),
    close: () => {
      tree.isClosed = true;
      forget(tree, root);
    },
  };
}

function pathsOf(folders: ReadonlySet<KnownFolder>): string[] {
  return [...folders].map(({ path }) => path).sort();
}

const noWatch: FolderWatch<KnownFolder> = {
  start: () => undefined,
  stop: () => undefined,
  isWatching: () => true,
  take: () => new Map(),
};

async function noticedFolders(tree: FolderTree): Promise<KnownFolder[]> {
  const found: KnownFolder[] = [];
  for (const [folder, names] of tree.watch.take()) {
    found.push(...(await foldersNamed(tree, folder, [...names])));
  }
  return found;
}

/** The folders to read to learn about some paths: the source's own if one is not below it, or if it is unknown. */
async function nearestFolders(
  tree: FolderTree,
  directories: readonly string[],
): Promise<KnownFolder[]> {
  const { root } = tree;
  const names = new Map<KnownFolder, string[]>();
  for (const directory of directories) {
    const nearest = root.state && nearestFolder(root, directory);
    if (!nearest) {
      return [root];
    }
    const inside = names.get(nearest.folder) ?? [];
    inside.push(nearest.name);
    names.set(nearest.folder, inside);
  }
  const found: KnownFolder[] = [];
  for (const [folder, inside] of names) {
    found.push(...(await foldersNamed(tree, folder, inside)));
  }
  return found;
}

/** The folders to read after changes of some names in a folder; '' is the folder itself. */
async function foldersNamed(
  tree: FolderTree,
  folder: KnownFolder,
  names: readonly string[],
): Promise<KnownFolder[]> {
  if (names.some(changesFolder)) {
    return [markStale(folder)];
  }
  const found: KnownFolder[] = [];
  for (const name of goesDeeper(tree, folder) ? names : []) {
    const entry = isVisited({ name }) ? await readEntry(folder.path, name) : undefined;
    found.push(...enter(tree, folder, entry ?? { name, isLink: false, isFolder: false }));
  }
  sortChildren(folder);
  return found.map(markStale);
}

/**
 * Whether a change of a name affects its folder. A mounted ConfigMap changes all its files at once
 * by the link `..data`.
 */
function changesFolder(name: string): boolean {
  const isMount = name.startsWith('..');
  return name === '' || isMount || isForeignFile(name) || name.toLowerCase() === 'skill.md';
}

function markStale(folder: KnownFolder): KnownFolder {
  folder.isStale = true;
  return folder;
}
