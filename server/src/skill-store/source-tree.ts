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
import { lookAgain } from './look-again.ts';
import { createPlainReader } from './read-plain-folder.ts';
import type { LeftOut, ScanLimits } from './scan-limits.ts';

/** The folders of one source, and the skills found in them. Reads only what changed. */
export interface SourceTree {
  /** Everything found, in the order of the paths. */
  found(): FoundInFolder[];
  /** The folders in which there is a skill, in the same order. */
  skillFolders(): KnownFolder[];
  /** Whether the folder of the source was there when it was looked at last; true before. */
  isThere(): boolean;
  /** Whether a skill was found in it; true before it was looked at. */
  hasSkills(): boolean;
  leftOut(): LeftOut;
  /** Looks at every folder, and into those that changed. Gives the skills that did. */
  check(): Promise<FolderChange[]>;
  /** Looks into one folder, wherever it is, and at those below. */
  checkFolder(directory: string): Promise<FolderChange[]>;
  /** What is read from now on is watched; before, nothing is. */
  watchBy(watch: FolderWatch<KnownFolder>): void;
  /** Looks at what the watch has noticed. */
  update(): Promise<FolderChange[]>;
  close(): void;
}

export function openSourceTree(source: FolderSource, limits: ScanLimits): SourceTree {
  const root = rootFolder(source.directory);
  const tree: FolderTree = {
    ...{ source, limits, watch: noWatch, root, changes: [], readPlain: createPlainReader(source) },
    ...{ folders: 0, tooDeep: 0, tooMany: 0, isOutdated: false, isClosed: false },
    closed: new Set(),
    foreign: new Map(),
    links: new Set(),
  };
  let hasLooked = false;
  const look = async (which: () => KnownFolder[] | Promise<KnownFolder[]>) => {
    await lookAgain(tree, await which());
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
    checkFolder: (directory) =>
      look(() => {
        const nearest = root.state && nearestFolder(root, directory);
        return nearest ? foldersNamed(tree, nearest.folder, [nearest.name]) : [root];
      }),
    watchBy: (watch) => {
      tree.watch = watch;
    },
    update: () => look(() => foldersNoticed(tree)),
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

async function foldersNoticed(tree: FolderTree): Promise<KnownFolder[]> {
  const found: KnownFolder[] = [];
  for (const [folder, names] of tree.watch.take()) {
    found.push(...(await foldersNamed(tree, folder, [...names])));
  }
  return found;
}

/** The folders to look into after something happened to some names in a folder; '' is itself. */
async function foldersNamed(
  tree: FolderTree,
  folder: KnownFolder,
  names: readonly string[],
): Promise<KnownFolder[]> {
  if (names.some(changesFolder)) {
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

/**
 * Whether something that happened to a name changes what its folder is. A mounted ConfigMap changes all its files at once
 * by the link `..data` that they lead through.
 */
function changesFolder(name: string): boolean {
  const isMount = name.startsWith('..');
  return name === '' || isMount || isForeignFile(name) || name.toLowerCase() === 'skill.md';
}

function asStale(folder: KnownFolder): KnownFolder {
  folder.isStale = true;
  return folder;
}
