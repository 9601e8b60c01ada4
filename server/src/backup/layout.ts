import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { SkillsConfig } from '@knowhow/shared/skills-config';
import { skillSources } from '../skills/skill-source.ts';
import { type FilePart, type FolderPart, folderParts, isFolderPart } from './backup-paths.ts';

/** Where the files of a backup belong on the disk. */
export interface Layout {
  /** `contents/` */
  readonly contentsDirectory: string;
  /** The folder of local skills, which may lie elsewhere. */
  readonly skillsDirectory: string;
}

/** As the configuration has it. */
export function layoutOf(contentsDirectory: string, skills: SkillsConfig): Layout {
  const [local] = skillSources(skills, contentsDirectory, []);
  const fallback = join(contentsDirectory, 'skills');
  return { contentsDirectory, skillsDirectory: resolve(local?.directory ?? fallback) };
}

/** The folder in which the entries of a part lie. */
export function folderOf({ contentsDirectory, skillsDirectory }: Layout, part: FilePart): string {
  if (part === 'skills') {
    return skillsDirectory;
  }
  return part === 'other' ? contentsDirectory : join(contentsDirectory, part);
}

/** Where a file or folder below `contents/` in a backup belongs. */
export function placeOf(layout: Layout, path: string): string {
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
export async function isSafeSkillsDirectory(wanted: Layout, now: Layout): Promise<boolean> {
  if (wanted.skillsDirectory === now.skillsDirectory) {
    return true;
  }
  const contents = await realPath(wanted.contentsDirectory);
  const inside = relative(contents, await realPath(wanted.skillsDirectory));
  const [top = ''] = inside.split(sep);
  const others: FolderPart[] = folderParts.filter((part) => part !== 'skills');
  return top !== '' && top !== '..' && !others.some((part) => part === top) && !top.startsWith('.');
}

/** Of a path whose last part need not exist yet. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = join(path, '..');
    return above === path ? path : join(await realPath(above), relative(above, path));
  }
}
