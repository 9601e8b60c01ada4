import type { PackedFile, SkillWriter } from '../../skills/index.ts';

/** Writes files of a skill or of a draft. */
export type FileWriter = Pick<SkillWriter, 'writeFile' | 'removeFile' | 'moveFile'>;

/** A change of a skill's files. */
export interface SkillEdit {
  /** The action for versions and audit log, such as `file-written`. */
  action: string;
  /** For example, the path of the file. */
  summary: string;
  /** Checks the current files, throws to reject, and writes. */
  write: (folder: string, files: readonly PackedFile[]) => Promise<void>;
}
