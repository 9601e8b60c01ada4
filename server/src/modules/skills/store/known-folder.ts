import { relative, resolve, sep } from 'node:path';
import type { EntryState } from './folder-entry.ts';
import type { FolderChange, FoundInFolder } from './folder-skill.ts';

/** A folder of a source, as last read. */
export interface KnownFolder {
  readonly path: string;
  readonly name: string;
  readonly parent: KnownFolder | undefined;
  /** 0 for the source's root. */
  readonly depth: number;
  /** Whether it is reached through a link. */
  readonly isLink: boolean;
  /** The real path, for a link and for the root. */
  target: string | undefined;
  /** Number of subfolders that are skipped because of a limit. */
  leftOut: number;
  /** State when it was last read; undefined before. */
  state: EntryState | undefined;
  /** Whether it must be read again, even if its state is unchanged. */
  isStale: boolean;
  /** By name, in order. Omitted for the many folders without subfolders. */
  children: Map<string, KnownFolder> | undefined;
  /** The `SKILL.md` with its spelling and state when it was last read, and the result. */
  skill: { name: string; state: EntryState; found: FoundInFolder } | undefined;
}

export function rootFolder(path: string): KnownFolder {
  return { path: resolve(path), name: '', parent: undefined, depth: 0, isLink: true, ...unread };
}

/** Adds a subfolder. Call `sortChildren` on the parent afterwards. */
export function addFolder(parent: KnownFolder, name: string, isLink: boolean): KnownFolder {
  const path = parent.path + sep + name;
  const folder = { path, name, parent, depth: parent.depth + 1, isLink, ...unread };
  parent.children ??= new Map();
  parent.children.set(name, folder);
  return folder;
}

const unread = {
  target: undefined,
  leftOut: 0,
  state: undefined,
  isStale: false,
  children: undefined,
  skill: undefined,
};

export function sortChildren(folder: KnownFolder): void {
  folder.children &&= new Map(
    [...folder.children].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Sets the skill of a folder. Returns the change, if any. */
export function replaceSkill(folder: KnownFolder, skill: KnownFolder['skill']): FolderChange[] {
  const before = folder.skill?.found;
  const after = skill?.found;
  const isSame = before === after || (before && after && isSameFile(before, after));
  folder.skill = isSame && skill && before ? { ...skill, found: before } : skill;
  return isSame ? [] : [{ before, after }];
}

/** Whether both are the same version of the same file. */
function isSameFile(one: FoundInFolder, other: FoundInFolder): boolean {
  return (
    'checksum' in one &&
    'checksum' in other &&
    one.checksum === other.checksum &&
    one.updatedAt === other.updatedAt &&
    one.file === other.file
  );
}

/** The skills of a folder and its subfolders, ordered by path. */
export function collectSkills(
  folder: KnownFolder,
  found: { folder: KnownFolder; found: FoundInFolder }[] = [],
): { folder: KnownFolder; found: FoundInFolder }[] {
  if (folder.skill) {
    found.push({ folder, found: folder.skill.found });
  }
  for (const child of folder.children?.values() ?? []) {
    collectSkills(child, found);
  }
  return found;
}

/** Whether there is a skill in a folder or below; stops at the first. */
export function holdsSkill({ skill, children }: KnownFolder): boolean {
  return skill !== undefined || [...(children?.values() ?? [])].some(holdsSkill);
}

/** Whether a path is the real path of an ancestor of a folder. */
export function isAbove({ parent }: KnownFolder, target: string): boolean {
  return parent !== undefined && (realPath(parent) === target || isAbove(parent, target));
}

function realPath({ target, parent, name, path }: KnownFolder): string {
  return target ?? (parent ? realPath(parent) + sep + name : path);
}

/** The nearest known ancestor of a path. */
export function nearestFolder(
  root: KnownFolder,
  path: string,
): { folder: KnownFolder; name: string } | undefined {
  const names = relative(root.path, path).split(sep);
  let folder = root;
  for (const [at, name] of names.entries()) {
    const child = folder.children?.get(name);
    if (!child || at === names.length - 1) {
      return name === '..' ? undefined : { folder, name };
    }
    folder = child;
  }
  return undefined;
}

/** Whether a folder is still in the tree. */
export function isReached(folder: KnownFolder, root: KnownFolder): boolean {
  const { parent, name } = folder;
  return parent
    ? parent.children?.get(name) === folder && isReached(parent, root)
    : folder === root;
}
