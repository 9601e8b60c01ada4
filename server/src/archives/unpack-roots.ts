import { posix } from 'node:path';
import { faultOfPath, isSkippedName, reveal } from '../skill-format/skill-format.ts';

/** Folders of an archive that are skills. The root is the empty one. */
export type Roots = ReadonlySet<string>;

const maxListed = 100;

/** What systems and tools leave behind in folders, and no skill needs. */
export function isClutter(name: string): boolean {
  return name.split('/').some(isSkippedName);
}

/** `SKILL.md` in any case. */
export function isSkillFile(name: string): boolean {
  return /^skill\.md$/i.test(name);
}

/** Each folder with a `SKILL.md`; one that is in another's folder is a part of that. */
export function skillRoots(files: readonly string[]): Roots {
  const found = new Set(
    files
      .filter((name) => isSkillFile(posix.basename(name)) && !isClutter(name) && !faultOfPath(name))
      .map((name) => parentOf(name) ?? ''),
  );
  return new Set([...found].filter((folder) => skillOf(found, folder) === undefined).sort());
}

/** The skill in whose folder an entry is. */
export function skillOf(roots: Roots, name: string): string | undefined {
  let folder = parentOf(name);
  while (folder !== undefined && !roots.has(folder)) {
    folder = parentOf(folder);
  }
  return folder;
}

/** What is not taken of the files: the largest folders that hold nothing of a skill. */
export function leftOut(files: readonly string[], roots: Roots): string[] {
  const above = new Set([...roots].flatMap((root) => [root, ...foldersOver(root)]));
  const found = new Set(
    files
      .filter((name) => isClutter(name) || skillOf(roots, name) === undefined)
      .map((name) => {
        const parts = [...foldersOver(name).reverse(), name];
        const isNeedless = (path: string) =>
          isClutter(name) ? isSkippedName(posix.basename(path)) : !above.has(path);
        const part = parts.find(isNeedless) ?? name;
        return part === name ? reveal(name) : `${reveal(part)}/`;
      }),
  );
  const listed = [...found].slice(0, maxListed);
  const more = found.size - listed.length;
  return more > 0 ? [...listed, `… and ${more} more`] : listed;
}

/** From the innermost out, without the root. */
function foldersOver(path: string): string[] {
  const parent = parentOf(path);
  return parent ? [parent, ...foldersOver(parent)] : [];
}

/** Undefined for the root. */
function parentOf(path: string): string | undefined {
  if (path === '') {
    return undefined;
  }
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
