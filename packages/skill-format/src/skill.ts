import type { SkillFields } from '@knowhow/shared/skills/skill-fields';
import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import type { Diagnostic } from '@knowhow/shared/skills/skills';

/** A skill as parsed from its `SKILL.md`, without its body and other files. */
export interface Skill extends SkillFields {
  /** The slug that identifies it everywhere. */
  id: string;
  /** The name as written. */
  displayName: string;
  description: string;
  metadata: Readonly<Record<string, string>>;
  /** Title and description for people who read other languages. Models get the original. */
  translations: SkillTranslations | undefined;
  /** Whether its frontmatter declares arguments after `/name`. */
  declaresArguments: boolean;
  /** Whether users may pick it with `/`. */
  userInvocable: boolean;
  /** Whether models may activate it. */
  modelInvocable: boolean;
  /** Conforms to the Agent Skills specification. */
  valid: boolean;
  /** Whether it can be offered. A file that is empty, too large, or not in YAML is ignored. */
  loads: boolean;
  /** Whether it is offered unless an admin decides otherwise. */
  enabledByDefault: boolean;
  diagnostics: readonly Diagnostic[];
  /**
   * The plugin that contains it, which is enabled or disabled as a whole; undefined for a
   * standalone skill.
   */
  plugin?: { id: string; startsOff: boolean; wantsEverywhere: boolean };
  /** SHA-256 of the bytes of `SKILL.md`, in hex. */
  checksum: string;
}
