import { toolFolders, whySkipped } from '@knowhow/shared/skills/clutter-names';

/** In the folder of local skills: what is on its way in or out. */
export const stagingFolder = '.knowhow-staging';

/**
 * Whether a file or folder of that name is never part of a skill: version control, packages, caches, and what systems
 * and editors leave behind.
 */
export function isSkippedName(name: string): boolean {
  return name === stagingFolder || whySkipped(name) !== undefined;
}

/** Folders that are never looked into. */
export const skippedFolders: ReadonlySet<string> = new Set([...toolFolders, stagingFolder]);
