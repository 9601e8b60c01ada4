import { join, relative } from 'node:path';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { pacedReadFolder, pacedStat } from '../lib/paced-fs.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
import {
  type FolderEntry,
  fileState,
  folderEntry,
  folderState,
  isVisited,
  readEntry,
  skillFileAmong,
  statFile,
} from './folder-entry.ts';
import { createFolderWatch, type FolderWatch } from './folder-watch.ts';
import { readSkillFile } from './read-skill-file.ts';
import type { FoundSkill } from './skill-snapshot.ts';
import type { SkillSource } from './skill-source.ts';

/** The folders of one source, and the skills found in them. Reads only what changed. */
export interface SourceTree {
  /** Everything found, in the order of the paths. */
  found(): FoundSkill[];
  /** Looks at every folder, and into those that changed. Tells whether any did. */
  check(): Promise<boolean>;
  /** Looks at what the watch has noticed. */
  update(): Promise<boolean>;
  close(): void;
}

interface Folder {
  path: string;
  depth: number;
  /** Tells this very folder in this very state. */
  state: string;
  /** Left out for the many folders that have none. */
  children: Map<string, Folder> | undefined;
  /** The `SKILL.md` as it is spelled, the state it was read in, and what it turned out to be. */
  skill: { name: string; state: string; found: FoundSkill } | undefined;
}

interface Tree {
  source: SkillSource;
  limit: ReturnType<typeof limitConcurrency>;
  watch: FolderWatch<Folder>;
  root: Folder | undefined;
  folders: number;
}

const maxDepth = 6;
const maxFolders = 20_000;
const maxOpenFiles = 32;

interface Notices {
  /** The watch has noticed something: `update` looks at it. Perhaps many times in a row. */
  onNotice: () => void;
  /** The watch may have missed something: `check` finds it. */
  onLate: () => void;
}

export function openSourceTree(source: SkillSource, { onNotice, onLate }: Notices): SourceTree {
  const tree: Tree = {
    source,
    limit: limitConcurrency(maxOpenFiles),
    watch: createFolderWatch(onNotice, onLate),
    root: undefined,
    folders: 0,
  };
  return {
    found: () => {
      const found: FoundSkill[] = [];
      if (tree.root) {
        collect(tree.root, found);
      }
      return found;
    },
    check: async () => {
      const known = tree.root !== undefined;
      try {
        tree.root ??= newFolder(tree, source.directory, 0);
        return await checkFolder(tree, tree.root);
      } catch {
        closeTree(tree);
        return known;
      }
    },
    update: async () => {
      const noticed = tree.watch.take();
      // A folder that has gone is noticed in the one above it, too.
      const updates = [...noticed].map(([folder, names]) => updateFolder(tree, folder, names));
      await Promise.allSettled(updates);
      return noticed.size > 0;
    },
    close: () => closeTree(tree),
  };
}

/** Reads a folder anew and goes into those below that are new. Throws when it has gone. */
async function scan(tree: Tree, folder: Folder): Promise<void> {
  const { limit, source, watch } = tree;
  const [state, said] = await limit(() =>
    Promise.all([folderState(folder.path), pacedReadFolder(folder.path)]),
  );
  const entries = said.map((each) => folderEntry(each.name, each));
  if (state !== folder.state || !watch.isWatching(folder)) {
    watch.start(folder);
  }
  folder.state = state;
  await readSkill(tree, folder, skillFileAmong(entries));
  const deeper = (!folder.skill || source.recursive) && folder.depth < maxDepth;
  const below = deeper ? entries.filter(isVisited) : [];
  const names = new Set(below.map(({ name }) => name));
  for (const name of folder.children?.keys() ?? []) {
    if (!names.has(name)) {
      leave(tree, folder, name);
    }
  }
  const fresh = below.filter(({ name }) => !folder.children?.has(name));
  await Promise.all(fresh.map((entry) => enter(tree, folder, entry)));
}

/** Goes into a folder below, if it is one and stays inside the source. */
async function enter(tree: Tree, parent: Folder, entry: FolderEntry): Promise<void> {
  const { name } = entry;
  const path = join(parent.path, name);
  const isFolder = entry.isLink
    ? await tree.limit(() => leadsToFolder(tree.source.directory, path))
    : entry.isFolder;
  const known = parent.children?.get(name);
  if (!isFolder || (!known && tree.folders >= maxFolders)) {
    leave(tree, parent, name);
    return;
  }
  const child = known ?? newFolder(tree, path, parent.depth + 1);
  parent.children ??= new Map();
  parent.children.set(name, child);
  await scan(tree, child).catch(() => leave(tree, parent, name));
}

/** Links in the source may lead to another place of it, not out of it. */
async function leadsToFolder(root: string, path: string): Promise<boolean> {
  const target = await resolveInside(root, relative(root, path));
  return target !== undefined && (await pacedStat(target)).isDirectory();
}

function leave(tree: Tree, parent: Folder, name: string): void {
  const child = parent.children?.get(name);
  if (child) {
    drop(tree, child);
    parent.children?.delete(name);
  }
}

function drop(tree: Tree, folder: Folder): void {
  tree.watch.stop(folder);
  tree.folders -= 1;
  for (const child of folder.children?.values() ?? []) {
    drop(tree, child);
  }
}

function closeTree(tree: Tree): void {
  if (tree.root) {
    drop(tree, tree.root);
  }
  tree.root = undefined;
}

async function readSkill(
  { limit, source }: Tree,
  folder: Folder,
  entry: FolderEntry | undefined,
): Promise<void> {
  if (!entry) {
    folder.skill = undefined;
    return;
  }
  const { name } = entry;
  await limit(async () => {
    const stats = await statFile(join(folder.path, name));
    const state = fileState(stats);
    if (folder.skill?.name !== name || folder.skill.state !== state) {
      const found = await readSkillFile(source, folder.path, entry, stats);
      folder.skill = { name, state, found };
    }
  });
}

async function updateFolder(tree: Tree, folder: Folder, names: Set<string>): Promise<void> {
  if ([...names].some((name) => name === '' || name.toLowerCase() === 'skill.md')) {
    await scan(tree, folder);
  } else if ((!folder.skill || tree.source.recursive) && folder.depth < maxDepth) {
    await Promise.all([...names].map((name) => enterByName(tree, folder, name)));
  }
}

/** For a name of which nothing is known but that something happened to it. */
async function enterByName(tree: Tree, parent: Folder, name: string): Promise<void> {
  const entry = isVisited({ name })
    ? await tree.limit(() => readEntry(parent.path, name))
    : undefined;
  if (entry) {
    await enter(tree, parent, entry);
  } else {
    leave(tree, parent, name);
  }
}

async function checkFolder(tree: Tree, folder: Folder): Promise<boolean> {
  const { skill } = folder;
  const [state, stats] = await tree.limit(() =>
    Promise.all([
      folderState(folder.path),
      skill && statFile(join(folder.path, skill.name)).catch(() => undefined),
    ]),
  );
  const known = [...(folder.children ?? [])];
  const changed = state !== folder.state || (stats && fileState(stats)) !== skill?.state;
  if (changed) {
    await scan(tree, folder);
  }
  const below = await Promise.all(
    known.map(([name, child]) =>
      checkFolder(tree, child).catch(() => enterByName(tree, folder, name).then(() => true)),
    ),
  );
  return changed || below.includes(true);
}

function newFolder(tree: Tree, path: string, depth: number): Folder {
  tree.folders += 1;
  return { path, depth, state: '', children: undefined, skill: undefined };
}

function collect({ skill, children }: Folder, found: FoundSkill[]): void {
  if (skill) {
    found.push(skill.found);
  }
  const below = [...(children ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [, child] of below) {
    collect(child, found);
  }
}
