import type { Diagnostic } from '@knowhow/shared/skills';

/** A skill as read from its `SKILL.md`: what is known of it without its body and other files. */
export interface Skill {
  /** The slug by which it is found everywhere. */
  id: string;
  /** The name as it was written. */
  displayName: string;
  description: string;
  license: string | undefined;
  compatibility: string | undefined;
  metadata: Readonly<Record<string, string>>;
  allowedTools: readonly string[];
  category: string | undefined;
  /** In lower case, at most 20. */
  tags: readonly string[];
  version: string | undefined;
  /** Names of tools without which it is of little use. Advice: without them it is offered anyway. */
  requiresTools: readonly string[];
  argumentHint: string | undefined;
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
  /** sha256 of the bytes of `SKILL.md`, in hex. */
  checksum: string;
}
