import { relative, resolve, sep } from 'node:path';
import type { EntryState } from './folder-entry.ts';
import type { FolderChange, FoundInFolder } from './folder-skill.ts';

/** A folder of a source, as it was when it was read. */
export interface KnownFolder {
  readonly path: string;
  readonly name: string;
  readonly parent: KnownFolder | undefined;
  /** 0 for the source's own. */
  readonly depth: number;
  /** Whether a link leads to it. */
  readonly isLink: boolean;
  /** The real path, of a folder that a link leads to and of the source's own. */
  target: string | undefined;
  /** Folders in it that are not looked into: there is no room, or they are too deep. */
  leftOut: number;
  /** As it was when it was read; undefined before. */
  state: EntryState | undefined;
  /** Whether something has happened to it since, whatever its state says. */
  isStale: boolean;
  /** By name, in order. Left out for the many folders that have none. */
  children: Map<string, KnownFolder> | undefined;
  /** The `SKILL.md` as it is spelled, as it was when it was read, and what it turned out to be. */
  skill: { name: string; state: EntryState; found: FoundInFolder } | undefined;
}

export function rootFolder(path: string): KnownFolder {
  return { path: resolve(path), name: '', parent: undefined, depth: 0, isLink: true, ...unread };
}

/** A new folder in another. The parent's children are put in order by `sortChildren`. */
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

/** Puts what has just been read into a folder. Gives what changes by that: one thing or none. */
export function replaceSkill(folder: KnownFolder, skill: KnownFolder['skill']): FolderChange[] {
  const before = folder.skill?.found;
  const after = skill?.found;
  const isSame = before === after || (before && after && isSameFile(before, after));
  folder.skill = isSame && skill && before ? { ...skill, found: before } : skill;
  return isSame ? [] : [{ before, after }];
}

/** Whether it is the same file, read once more. */
function isSameFile(one: FoundInFolder, other: FoundInFolder): boolean {
  return (
    'checksum' in one &&
    'checksum' in other &&
    one.checksum === other.checksum &&
    one.updatedAt === other.updatedAt &&
    one.file === other.file
  );
}

/** The skills of a folder and those below, in the order of the paths. */
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

/** Whether there is a skill in a folder or below; looks no further than to the first. */
export function holdsSkill({ skill, children }: KnownFolder): boolean {
  return skill !== undefined || [...(children?.values() ?? [])].some(holdsSkill);
}

/** Whether the real path of a folder is that of one on the way to another. */
export function isAbove({ parent }: KnownFolder, target: string): boolean {
  return parent !== undefined && (realPath(parent) === target || isAbove(parent, target));
}

function realPath({ target, parent, name, path }: KnownFolder): string {
  return target ?? (parent ? realPath(parent) + sep + name : path);
}

/** Where to look for a path: in the nearest folder above it that is known, under that name. */
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

/** Whether a folder is still reached from the root. */
export function isReached(folder: KnownFolder, root: KnownFolder): boolean {
  const { parent, name } = folder;
  return parent
    ? parent.children?.get(name) === folder && isReached(parent, root)
    : folder === root;
}
