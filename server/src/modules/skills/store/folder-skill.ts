import { sep } from 'node:path';
import type { BrokenSkill, SkillSource, StoredSkill } from './skill-source.ts';

/** A source that is a folder on disk. Internal to `skill-store`. */
export interface FolderSource extends SkillSource {
  /** Absolute. May be a symbolic link; nothing inside may lead out of it. */
  readonly directory: string;
  /** Whether nested skills below another skill's folder are found, too. */
  readonly recursive: boolean;
  /** Like `list`, each with the path of its `SKILL.md`. */
  listPaths(): { path: string; found: FoundInFolder }[];
  /** Whether the folder is missing, cannot be read, or is empty at this moment. */
  isGone(): Promise<boolean>;
}

export interface FolderSkill extends StoredSkill {
  /**
   * The file that was read, if it is not `SKILL.md` in its folder: spelled differently, or linked.
   */
  readonly file: string | undefined;
}

export type FoundInFolder = FolderSkill | BrokenSkill;

export interface FolderChange {
  before: FoundInFolder | undefined;
  after: FoundInFolder | undefined;
}

/**
 * The path relative to the source's folder, which must be an ancestor. Much faster than
 * `path.relative`.
 */
export function pathInside({ directory: root }: FolderSource, directory: string): string {
  return directory.slice(root === sep ? 1 : root.length + 1);
}
