import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf, type ProblemIssue } from '@knowhow/shared/problem';
import type { z } from 'zod';
import type { AllowedVariables } from './allowed-variables.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { isTooDeep, tooDeep } from './parse-config.ts';
import type { RawConfig } from './raw-config.ts';

interface Rules {
  /** The schema with which the file is read. */
  schema: z.ZodType;
  variables: AllowedVariables;
  /** The required ID. */
  id?: string;
}

/** The issues that reading this configuration from its file would report. */
export function configIssues(config: RawConfig, { schema, variables, id }: Rules): ProblemIssue[] {
  if (isTooDeep(config)) {
    return [{ path: '', code: 'too-deep', message: tooDeep }];
  }
  const filled = fillPlaceholders(config, variables) as RawConfig;
  const result = parseWith(schema, filled);
  if (!result.success) {
    return issuesOf(result.error);
  }
  return id === undefined || filled.id === id
    ? []
    : [{ path: 'id', code: 'other-id', message: `The id must be "${id}", as in the address.` }];
}
