import { stagingFolder, toolFolders, whySkipped } from '@knowhow/shared/skills/clutter-names';

/**
 * Whether a file or folder with this name is never part of a skill: version control, packages,
 * caches, and leftovers of systems and editors.
 */
export function isSkippedName(name: string): boolean {
  return name === stagingFolder || whySkipped(name) !== undefined;
}

/** Folders that are never scanned. */
export const skippedFolders: ReadonlySet<string> = new Set([...toolFolders, stagingFolder]);
