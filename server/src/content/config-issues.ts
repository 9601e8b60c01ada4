import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf, type ProblemIssue } from '@knowhow/shared/problem';
import type { z } from 'zod';
import type { AllowedVariables } from './allowed-variables.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { isTooDeep, tooDeep } from './parse-config.ts';
import type { RawConfig } from './raw-config.ts';

interface Rules {
  /** The schema that reads it. */
  schema: z.ZodType;
  variables: AllowedVariables;
  /** The id it has to have. */
  id?: string;
}

/** Why a configuration could not be read back, as the reader of the files would see it. */
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
