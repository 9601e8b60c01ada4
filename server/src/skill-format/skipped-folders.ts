import { isClutterName } from '@knowhow/shared/skills/clutter-names';

/** In the folder of local skills: what is on its way in or out. */
export const stagingFolder = '.knowhow-staging';

/**
 * Whether a file or folder of that name is never part of a skill: version control, packages, caches, and what systems
 * and editors leave behind.
 */
export function isSkippedName(name: string): boolean {
  return skippedFolders.has(name) || isClutterName(name);
}

/** Folders that are never looked into. */
export const skippedFolders: ReadonlySet<string> = new Set([
  '.git',
  '.svn',
  '.hg',
  'node_modules',
  '__pycache__',
  stagingFolder,
]);
