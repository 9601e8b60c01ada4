import { posix } from 'node:path';
import { skippedPart } from '@knowhow/shared/skills/clutter-names';
import type { LeftOut, LeftOutReason } from '@knowhow/shared/skills/left-out';
import { findPathIssue, isSkippedName, reveal } from '@knowhow/skill-format';

/** Folders of an archive that are skills. The root is the empty one. */
export type Roots = ReadonlySet<string>;

/** Files that systems and tools leave behind. */
export function isClutter(name: string): boolean {
  return name.split('/').some(isSkippedName);
}

/** `SKILL.md` in any case. */
export function isSkillFile(name: string): boolean {
  return /^skill\.md$/i.test(name);
}

/** Each folder with a `SKILL.md`; nested ones belong to the outer skill. */
export function skillRoots(files: readonly string[]): Roots {
  const found = new Set(
    files
      .filter(
        (name) => isSkillFile(posix.basename(name)) && !isClutter(name) && !findPathIssue(name),
      )
      .map((name) => parentOf(name) ?? ''),
  );
  return new Set([...found].filter((folder) => findSkillRoot(found, folder) === undefined).sort());
}

/** The skill that contains an entry. */
export function findSkillRoot(roots: Roots, name: string): string | undefined {
  let folder = parentOf(name);
  while (folder !== undefined && !roots.has(folder)) {
    folder = parentOf(folder);
  }
  return folder;
}

/** A file in no skill, represented by the largest folder without any part of a skill. */
export function leftOutEntry(
  name: string,
  above: ReadonlySet<string>,
  why: LeftOutReason = 'no-skill',
): LeftOut {
  const skipped = skippedPart(name);
  const folder = foldersOver(name)
    .reverse()
    .find((path) => !above.has(path));
  const path = skipped?.path ?? (folder === undefined ? name : `${folder}/`);
  return { path: reveal(path), files: 1, why: skipped?.why ?? why };
}

/** The folders of skills, and their ancestors. */
export function foldersAbove(roots: Roots): ReadonlySet<string> {
  return new Set([...roots].flatMap((root) => [root, ...foldersOver(root)]));
}

/** Ancestors of a path from the innermost, without the root. */
function foldersOver(path: string): string[] {
  const folders: string[] = [];
  for (let parent = parentOf(path); parent; parent = parentOf(parent)) {
    folders.push(parent);
  }
  return folders;
}

/** Undefined for the root. */
function parentOf(path: string): string | undefined {
  if (path === '') {
    return undefined;
  }
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
