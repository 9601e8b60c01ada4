import type { SkillFields } from '@knowhow/shared/skills/skill-fields';
import type { Diagnostic } from '@knowhow/shared/skills/skills';

/** A skill as read from its `SKILL.md`: what is known of it without its body and other files. */
export interface Skill extends SkillFields {
  /** The slug by which it is found everywhere. */
  id: string;
  /** The name as it was written. */
  displayName: string;
  description: string;
  metadata: Readonly<Record<string, string>>;
  /** Says in its frontmatter that something is to be written after `/name`. */
  declaresArguments: boolean;
  /** May be picked with `/`. */
  userInvocable: boolean;
  /** May be picked by the model. */
  modelInvocable: boolean;
  /** Conforms to the Agent Skills specification. */
  valid: boolean;
  /** Can be offered. Nothing is taken of a file that is empty, too large, or not in YAML. */
  loads: boolean;
  /** Offered unless an admin says otherwise. */
  enabledByDefault: boolean;
  diagnostics: readonly Diagnostic[];
  /** The plugin that brings it, which is on or off as a whole; without one it is a skill of its own. */
  plugin?: { id: string; startsOff: boolean; wantsEverywhere: boolean };
  /** sha256 of the bytes of `SKILL.md`, in hex. */
  checksum: string;
}
