import type { Diagnostic } from '@knowhow/shared/skills/skills';

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

/** Whether a skill passes, by its diagnostics. */
export interface Measure {
  accepts(diagnostics: readonly Diagnostic[]): boolean;
  /** What else there is to say of the bytes of a `SKILL.md`. */
  more(bytes: Uint8Array): Diagnostic[];
}
