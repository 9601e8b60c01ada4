import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose } from './diagnostics.ts';

/** A diagnostic for a file that is not named exactly `SKILL.md`. */
export function diagnoseName(
  name: string,
  text: 'filename-named' | 'filename-becomes' = 'filename-named',
): Diagnostic {
  const code = name === 'skill.md' ? 'filename-case' : 'filename-mixed-case';
  return diagnose(code, { text, values: { name } });
}

/** Whether a diagnostic is about the file name of `SKILL.md`. */
export function isOfFileName(code: string): boolean {
  return code === 'filename-case' || code === 'filename-mixed-case';
}
