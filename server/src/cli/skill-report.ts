import type { Diagnostic } from '@knowhow/shared/skills/skills';

/** The validation result of a skill, or of an archive rejected as a whole. */
export interface SkillReport {
  /**
   * Path of `SKILL.md`, relative to the working directory; in an archive
   * `file.zip!/folder/SKILL.md`.
   */
  path: string;
  /** Undefined if unreadable. */
  name: string | undefined;
  valid: boolean;
  accepted: boolean;
  diagnostics: readonly Diagnostic[];
}

/** The criteria of a validation. */
export interface Measure {
  accepts(diagnostics: readonly Diagnostic[]): boolean;
  /** Additional diagnostics on the bytes of a `SKILL.md`. */
  more(bytes: Uint8Array): Diagnostic[];
}
