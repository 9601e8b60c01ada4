import { lstat, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
import { createFolderWatch, type FolderWatch } from './folder-watch.ts';
import { readSkillFile, type SkillFileResult } from './read-skill-file.ts';
import type { FoundSkill } from './skill-snapshot.ts';
import type { SkillSource } from './skill-source.ts';
import { skippedFolders } from './skipped-folders.ts';

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
  children: Map<string, Folder>;
  skill: { name: string; state: string; result: SkillFileResult } | undefined;
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

/** @param onNotice called whenever the watch notices something, perhaps many times in a row */
export function openSourceTree(source: SkillSource, onNotice: () => void): SourceTree {
  const tree: Tree = {
    source,
    limit: limitConcurrency(maxOpenFiles),
    watch: createFolderWatch(onNotice),
    root: undefined,
    folders: 0,
  };
  return {
    found: () => (tree.root ? collect(tree.root, source) : []),
    check: async () => {
      try {
        tree.root ??= newFolder(tree, source.directory, 0);
        return await checkFolder(tree, tree.root);
      } catch {
        return closeTree(tree);
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
  const state = await limit(() => stateOf(folder.path));
  if (state !== folder.state || !watch.isWatching(folder)) {
    watch.start(folder);
  }
  const entries = await limit(() => readdir(folder.path, { withFileTypes: true }));
  folder.state = state;
  await readSkill(tree, folder, skillFileAmong(entries.map(({ name }) => name)));
  const below = (!folder.skill || source.recursive) && folder.depth < maxDepth ? entries : [];
  const names = below
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .filter(isVisited);
  for (const name of folder.children.keys()) {
    if (!names.includes(name)) {
      leave(tree, folder, name);
    }
  }
  const fresh = names.filter((name) => !folder.children.has(name));
  await Promise.all(fresh.map((name) => enter(tree, folder, name)));
}

/** Goes into a folder below, if it is one and stays inside the source. */
async function enter(tree: Tree, parent: Folder, name: string): Promise<void> {
  const path = join(parent.path, name);
  const inside = await tree.limit(() => isFolderInside(tree.source.directory, path));
  if (!inside || tree.folders >= maxFolders) {
    leave(tree, parent, name);
    return;
  }
  const child = parent.children.get(name) ?? newFolder(tree, path, parent.depth + 1);
  parent.children.set(name, child);
  await scan(tree, child).catch(() => leave(tree, parent, name));
}

function leave(tree: Tree, parent: Folder, name: string): void {
  const child = parent.children.get(name);
  if (child) {
    drop(tree, child);
    parent.children.delete(name);
  }
}

function drop(tree: Tree, folder: Folder): void {
  tree.watch.stop(folder);
  tree.folders -= 1;
  for (const child of folder.children.values()) {
    drop(tree, child);
  }
}

function closeTree(tree: Tree): boolean {
  if (tree.root) {
    drop(tree, tree.root);
  }
  tree.root = undefined;
  return true;
}

async function readSkill(tree: Tree, folder: Folder, name: string | undefined): Promise<void> {
  const { limit, source } = tree;
  if (name === undefined) {
    folder.skill = undefined;
    return;
  }
  const state = await limit(() => fileState(join(folder.path, name)));
  if (folder.skill?.name !== name || folder.skill.state !== state) {
    const result = await limit(() => readSkillFile(source.directory, folder.path, name));
    folder.skill = { name, state, result };
  }
}

async function updateFolder(tree: Tree, folder: Folder, names: Set<string>): Promise<void> {
  if ([...names].some((name) => name === '' || name.toLowerCase() === 'skill.md')) {
    await scan(tree, folder);
  } else if ((!folder.skill || tree.source.recursive) && folder.depth < maxDepth) {
    await Promise.all([...names].filter(isVisited).map((name) => enter(tree, folder, name)));
  }
}

async function checkFolder(tree: Tree, folder: Folder): Promise<boolean> {
  const { skill } = folder;
  const [state, skillState] = await tree.limit(() =>
    Promise.all([
      stateOf(folder.path),
      skill ? fileState(join(folder.path, skill.name)) : undefined,
    ]),
  );
  const known = [...folder.children];
  const changed = state !== folder.state || skillState !== skill?.state;
  if (changed) {
    await scan(tree, folder);
  }
  const below = await Promise.all(
    known.map(([name, child]) =>
      checkFolder(tree, child).catch(() => enter(tree, folder, name).then(() => true)),
    ),
  );
  return changed || below.includes(true);
}

function newFolder(tree: Tree, path: string, depth: number): Folder {
  tree.folders += 1;
  return { path, depth, state: '', children: new Map(), skill: undefined };
}

/** `..data` and the like are how container platforms keep versions of a mounted configuration. */
function isVisited(name: string): boolean {
  return !skippedFolders.has(name) && !name.startsWith('..');
}

/** Exactly `SKILL.md` where there is one, else in any case. */
function skillFileAmong(names: readonly string[]): string | undefined {
  return names.includes('SKILL.md')
    ? 'SKILL.md'
    : names.filter((name) => name.toLowerCase() === 'skill.md').sort()[0];
}

async function stateOf(path: string): Promise<string> {
  const { ino, mtimeMs } = await stat(path);
  return `${ino} ${mtimeMs}`;
}

/** Of a link that leads nowhere, the link's own. */
async function fileState(path: string): Promise<string> {
  const { ino, mtimeMs, ctimeMs, size } = await stat(path).catch(() => lstat(path));
  return `${ino} ${mtimeMs} ${ctimeMs} ${size}`;
}

async function isFolderInside(root: string, path: string): Promise<boolean> {
  const state = await lstat(path).catch(() => undefined);
  if (!state?.isSymbolicLink()) {
    return state?.isDirectory() ?? false;
  }
  const target = await resolveInside(root, relative(root, path));
  return target !== undefined && (await stat(target)).isDirectory();
}

function collect(folder: Folder, source: SkillSource): FoundSkill[] {
  const { skill, path, children } = folder;
  const own: FoundSkill[] = [];
  if (skill?.result.state === 'read') {
    own.push({ ...skill.result.skill, directory: path, file: skill.result.file, source });
  } else if (skill) {
    own.push({ directory: path, source, diagnostic: skill.result.diagnostic });
  }
  const below = [...children].sort(([one], [other]) => (one < other ? -1 : 1));
  return own.concat(...below.map(([, child]) => collect(child, source)));
}
