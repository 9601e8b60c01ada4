import { sep } from 'node:path';
import type { BrokenSkill, SkillSource, StoredSkill } from './skill-source.ts';

/** A source that is a folder on disk. Only `skill-store` knows. */
export interface FolderSource extends SkillSource {
  /** Absolute. May itself be a symbolic link; nothing inside may lead out of it. */
  readonly directory: string;
  /** Whether a `SKILL.md` below another skill's folder is a skill of its own as well. */
  readonly recursive: boolean;
  /** What `list` gives, each with the path of its `SKILL.md`. */
  listPaths(): { path: string; found: FoundInFolder }[];
}

export interface FolderSkill extends StoredSkill {
  /** The file that was read, where it is another than `SKILL.md` in its folder: spelled otherwise, or linked. */
  readonly file: string | undefined;
}

export type FoundInFolder = FolderSkill | BrokenSkill;

export interface FolderChange {
  before: FoundInFolder | undefined;
  after: FoundInFolder | undefined;
}

/** The path of a folder from that of its source, which is above it. To ask Node would take much longer. */
export function pathInside({ directory: root }: FolderSource, directory: string): string {
  return directory.slice(root === sep ? 1 : root.length + 1);
}
