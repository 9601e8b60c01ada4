import { join, relative, sep } from 'node:path';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { realPathOf } from '../lib/real-path-of.ts';
import { isFree, type SkillRoots } from '../skill-store/refused-folder.ts';
import { skillSources } from '../skill-store/skill-sources.ts';
import { type FilePart, isFolderPart } from './backup-paths.ts';

/** Where the files of a backup belong on the disk. */
export interface Layout {
  /** `contents/` */
  readonly contentsDirectory: string;
  /** The folder of local skills, which may be elsewhere. */
  readonly skillsDirectory: string;
}

/** As the configuration has it. */
export function layoutOf(roots: SkillRoots, skills: SkillsConfig): Layout {
  const { contentsDirectory } = roots;
  return { contentsDirectory, skillsDirectory: skillSources(skills, roots).local.directory };
}

/** The folder in which the entries of a part lie. */
export function folderOf({ contentsDirectory, skillsDirectory }: Layout, part: FilePart): string {
  if (part === 'skills') {
    return skillsDirectory;
  }
  return part === 'other' ? contentsDirectory : join(contentsDirectory, part);
}

/** Where a file or folder below `contents/` in a backup belongs. */
export function diskPathOf(layout: Layout, path: string): string {
  const inContents = path.slice('contents/'.length);
  const [first, ...rest] = inContents.split('/');
  return isFolderPart(first)
    ? join(folderOf(layout, first), ...rest)
    : join(layout.contentsDirectory, inContents);
}

/** Names in `contents/` itself that are not of the part `other`. */
export function isTaken({ contentsDirectory, skillsDirectory }: Layout): (name: string) => boolean {
  const [top] = relative(contentsDirectory, skillsDirectory).split(sep);
  return (name) => isFolderPart(name) || name === top;
}

/**
 * Whether skills may be kept there after a restore: where they are now, or in a folder of `contents/`
 * that nothing else uses. Anywhere else they could take the place of what is not ours.
 */
export function isSafeSkillsDirectory(wanted: Layout, now: Layout): boolean {
  const contents = realPathOf(wanted.contentsDirectory);
  return (
    wanted.skillsDirectory === now.skillsDirectory ||
    isFree(relative(contents, realPathOf(wanted.skillsDirectory)))
  );
}
