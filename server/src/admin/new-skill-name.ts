import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import type { Diagnostic } from '@knowhow/shared/skills';
import { faultOfName, isSkillName, slug } from '../skill-format/skill-format.ts';

/** Addresses that a skill of that name could not have. */
const reserved: ReadonlySet<string> = new Set(['check-name', 'new']);

/** Why a new skill may not have a name, as a sentence; undefined when it may. */
export function faultOfSkillName(name: string): string | undefined {
  if (!isSkillName(name)) {
    const proposed = slug(name);
    const hint = proposed ? ` Try "${proposed}".` : '';
    return `A name has 1 to 64 lower-case letters and digits, with single hyphens between.${hint}`;
  }
  if (reserved.has(name)) {
    return `"${name}" is used by Knowhow itself. Choose another name.`;
  }
  return faultOfName(name)?.message;
}

/** Throws `invalid-request` for a name that a new skill may not have. */
export function checkSkillName(name: string): void {
  const message = faultOfSkillName(name);
  if (message !== undefined) {
    throw problem('invalid-request', message, {
      issues: [{ path: 'name', code: 'name-invalid', message }],
    });
  }
}

/** What is wrong with a file, as the issues of a problem. */
export function issuesOfDiagnostics(
  path: string,
  diagnostics: readonly Diagnostic[],
): ProblemIssue[] {
  return diagnostics.map(({ code, message, line, fix }) => ({
    path: line === undefined ? path : `${path}:${line}`,
    code,
    message: fix === undefined ? message : `${message} ${fix}`,
  }));
}
