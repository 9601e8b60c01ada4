import { countTokens } from '@knowhow/shared/count-tokens';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { defaultSkillsConfig } from '@knowhow/shared/skills/skills-config';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';

/** Diagnostics that are tolerated in existing skills, but not in new, uploaded or imported ones. */
const rejectedCodes: ReadonlySet<string> = new Set<DiagnosticCode>([
  'name-missing',
  'name-invalid',
  'description-in-body',
  'description-too-long',
]);
/** Diagnostics that a new name fixes. */
const names: ReadonlySet<string> = new Set<DiagnosticCode>(['name-missing', 'name-invalid']);
/** Factor by which a body may exceed the recommended length. */
const tolerance = 13;

export interface NewSkillVerdict {
  /** Why it is rejected: some of the skill's diagnostics. */
  refusals: Diagnostic[];
  /** Whether a new name would make it acceptable. */
  renamable: boolean;
}

/** Validates a skill before it is written; stricter than for existing skills. */
export function judgeNewSkill(
  { diagnostics, body }: { diagnostics: readonly Diagnostic[]; body: string },
  maxSkillBodyTokens = defaultSkillsConfig.settings.maxSkillBodyTokens,
): NewSkillVerdict {
  const maxTokens = maxSkillBodyTokens * tolerance;
  const tokens = countTokens(body);
  const refusals = diagnostics.filter(
    ({ code, severity }) => severity === 'error' || rejectedCodes.has(code),
  );
  if (tokens > maxTokens) {
    refusals.push(
      diagnose('body-too-long', { text: 'body-tokens', values: { tokens, most: maxTokens } }),
    );
  }
  return {
    refusals,
    renamable: refusals.length > 0 && refusals.every(({ code }) => names.has(code)),
  };
}
