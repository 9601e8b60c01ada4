import { issuesOf, type ProblemIssue } from '@knowhow/shared/problem';
import type { z } from 'zod';
import type { AllowedVariables } from './allowed-variables.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import type { RawConfig } from './raw-config.ts';

interface Rules {
  /** The schema that reads it. */
  schema: z.ZodType;
  variables: AllowedVariables;
  /** The id it has to have. */
  id?: string;
}

/** Deeper than any configuration, and far from what a stack can bear. */
const maxDepth = 64;

/** Why a configuration could not be read back, as the reader of the files would see it. */
export function configIssues(config: RawConfig, { schema, variables, id }: Rules): ProblemIssue[] {
  if (!within(config, maxDepth)) {
    return [{ path: '', code: 'too-deep', message: `More than ${maxDepth} levels deep.` }];
  }
  const filled = fillPlaceholders(config, variables) as RawConfig;
  const result = schema.safeParse(filled);
  if (!result.success) {
    return issuesOf(result.error);
  }
  return id === undefined || filled.id === id
    ? []
    : [{ path: 'id', code: 'other-id', message: `The id must be "${id}", as in the address.` }];
}

function within(value: unknown, levels: number): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (levels > 0 && Object.values(value).every((part) => within(part, levels - 1)))
  );
}
