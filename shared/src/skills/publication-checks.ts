import { z } from 'zod';
import type { Problem } from '../problem.ts';
import { configurableChecks } from './check-settings.ts';
import { saidSchema } from './skills.ts';
import { versionMessage, versionWords } from './version-message.ts';

/** All checks. Files that are blocked are never published, so `blocked` has no setting. */
export const publicationChecks = ['blocked', ...configurableChecks] as const;
export type PublicationCheck = (typeof publicationChecks)[number];

/** Findings of a check that are listed; the rest is counted. */
export const maxFindings = 20;

/** The result of a check. Checks that are off have none. */
const checkResultSchema = z.object({
  id: z.enum(publicationChecks),
  level: z.enum(['advisory', 'required']),
  passed: z.boolean(),
  /** At most 20. */
  findings: z.array(
    saidSchema.extend({
      code: z.string(),
      /** The file it is about, if it is a single one. */
      path: z.string().optional(),
      /** Line of the file, counted from 1. */
      line: z.number().int().optional(),
    }),
  ),
  /** Number of findings that are not listed. */
  more: z.number().int(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

export const checkResultsSchema = z.array(checkResultSchema);

/** The decision to publish although required checks fail. */
export const overrideSchema = z.object({
  reason: versionWords.min(1),
  /** The checks that failed. */
  checks: z.array(z.enum(publicationChecks)),
});
export type CheckOverride = z.infer<typeof overrideSchema>;

/** Publishes although required checks fail. Needs the right to publish. */
export const overrideRequest = z.strictObject({ reason: overrideSchema.shape.reason }).optional();

/** Query of a write that publishes: the author's words, and the reason to override required checks that fail. */
export const writeQuery = z.strictObject({
  message: versionMessage,
  override: overrideSchema.shape.reason.optional(),
});

/** Failed checks that stop publication. */
export function failedRequired(checks: readonly CheckResult[]): CheckResult[] {
  return checks.filter(({ level, passed }) => level === 'required' && !passed);
}

/** The required checks that stop a change of a skill. */
export function findFailedChecks({ code, issues = [] }: Problem): PublicationCheck[] {
  const codes = new Set(code === 'check-failed' ? issues.map((issue) => issue.code) : []);
  return publicationChecks.filter((check) => codes.has(check));
}
