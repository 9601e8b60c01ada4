import { join, relative, sep } from 'node:path';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { resolveRealPath } from '../../platform/lib/resolve-real-path.ts';
import { isFree, type SkillRoots, skillSources } from '../skills/index.ts';
import { type FilePart, isFolderPart } from './backup-paths.ts';

/** Disk locations of a backup's files. */
export interface Layout {
  /** `contents/` */
  readonly contentsDirectory: string;
  /** Folder of local skills, which may be outside `contents/`. */
  readonly skillsDirectory: string;
}

/** The layout according to the configuration. */
export function getLayout(roots: SkillRoots, skills: SkillsConfig): Layout {
  const { contentsDirectory } = roots;
  return { contentsDirectory, skillsDirectory: skillSources(skills, roots).local.directory };
}

/** Folder with the entries of a part. */
export function getPartFolder(
  { contentsDirectory, skillsDirectory }: Layout,
  part: FilePart,
): string {
  if (part === 'skills') {
    return skillsDirectory;
  }
  return part === 'other' ? contentsDirectory : join(contentsDirectory, part);
}

/** Disk path of a file or folder in `contents/` of a backup. */
export function getDiskPath(layout: Layout, path: string): string {
  const inContents = path.slice('contents/'.length);
  const [first, ...rest] = inContents.split('/');
  return isFolderPart(first)
    ? join(getPartFolder(layout, first), ...rest)
    : join(layout.contentsDirectory, inContents);
}

/** Whether a name directly in `contents/` belongs to another part than `other`. */
export function isReservedName({
  contentsDirectory,
  skillsDirectory,
}: Layout): (name: string) => boolean {
  const [top] = relative(contentsDirectory, skillsDirectory).split(sep);
  return (name) => isFolderPart(name) || name === top;
}

/**
 * Whether skills may be stored there after a restore: in their present folder, or in an otherwise unused folder of
 * `contents/`. Elsewhere they might overwrite other data.
 */
export function isSafeSkillsDirectory(wanted: Layout, now: Layout): boolean {
  const contents = resolveRealPath(wanted.contentsDirectory);
  return (
    wanted.skillsDirectory === now.skillsDirectory ||
    isFree(relative(contents, resolveRealPath(wanted.skillsDirectory)))
  );
}
