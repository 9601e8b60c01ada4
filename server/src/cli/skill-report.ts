import type { Diagnostic } from '@knowhow/shared/skills';

/** What `validate` says of one skill, or of an archive that is refused as a whole. */
export interface SkillReport {
  /** Of `SKILL.md`, as seen from where the command runs; in an archive `file.zip!/folder/SKILL.md`. */
  path: string;
  /** Undefined when it cannot be read. */
  name: string | undefined;
  valid: boolean;
  accepted: boolean;
  diagnostics: readonly Diagnostic[];
}

/** Whether remarks on a skill let it pass. */
export type Accepts = (diagnostics: readonly Diagnostic[]) => boolean;
