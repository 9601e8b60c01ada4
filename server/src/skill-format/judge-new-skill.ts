import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { countTokens } from '../lib/count-tokens.ts';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';

/** What is forgiven in a skill that is found, and beside errors not in one that is written, uploaded or imported. */
const refused: ReadonlySet<string> = new Set<DiagnosticCode>([
  'name-missing',
  'name-invalid',
  'description-in-body',
  'description-too-long',
]);
/** Of these a new name alone makes the skill acceptable. */
const names: ReadonlySet<string> = new Set<DiagnosticCode>(['name-missing', 'name-invalid']);
const defaultBodyTokens = 5000;
/** A body may be that many times as long as it should. */
const tolerance = 13;

export interface NewSkillVerdict {
  /** Why it is not taken: a few of the skill's diagnostics. */
  refusals: Diagnostic[];
  /** A new name alone would make it acceptable. */
  renamable: boolean;
}

/** Judges a skill before it is written; stricter than what already is in a folder. */
export function judgeNewSkill(
  { diagnostics, body }: { diagnostics: readonly Diagnostic[]; body: string },
  maxSkillBodyTokens = defaultBodyTokens,
): NewSkillVerdict {
  const most = maxSkillBodyTokens * tolerance;
  const tokens = countTokens(body);
  const refusals = diagnostics.filter(
    ({ code, severity }) => severity === 'error' || refused.has(code),
  );
  if (tokens > most) {
    refusals.push(diagnose('body-too-long', { text: 'body-tokens', values: { tokens, most } }));
  }
  return {
    refusals,
    renamable: refusals.length > 0 && refusals.every(({ code }) => names.has(code)),
  };
}
