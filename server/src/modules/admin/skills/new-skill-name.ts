import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import { isSkillName, slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { createMessage, findNameIssue } from '../../skills/index.ts';

/** Names that would collide with URLs. */
const reserved: ReadonlySet<string> = new Set(['check-name', 'new']);

/**
 * Why a new skill may not have a name; undefined if it may. In another Unicode form, it would be another key for the
 * rights on the same skill.
 */
export function findSkillNameIssue(name: string): ReturnType<typeof createMessage> | undefined {
  const proposed = slug(name);
  if (!isSkillName(name) || name !== proposed) {
    return proposed ? createMessage('name-rule-try', { proposed }) : createMessage('name-rule');
  }
  if (reserved.has(name)) {
    return createMessage('name-reserved', { name });
  }
  // All other rules for names have been checked.
  return findNameIssue(name) && createMessage('name-device', { name });
}

/** Throws `invalid-request` for an invalid name of a new skill. */
export function checkSkillName(name: string): void {
  const message = findSkillNameIssue(name)?.message;
  if (message !== undefined) {
    throw problem('invalid-request', message, {
      issues: [{ path: 'name', code: 'name-invalid', message }],
    });
  }
}

/** Converts diagnostics to the issues of a problem. */
export function diagnosticsToIssues(
  path: string,
  diagnostics: readonly Diagnostic[],
): ProblemIssue[] {
  return diagnostics.map(({ code, message, line, fix }) => ({
    path: line === undefined ? path : `${path}:${line}`,
    code,
    message: fix === undefined ? message : `${message} ${fix}`,
  }));
}
