import { findUnknownFields, type UnknownField } from '@knowhow/shared/config/unknown-fields';
import type { ProblemIssue } from '@knowhow/shared/problem';
import type { z } from 'zod';
import { nearestName } from '../../platform/lib/nearest-name.ts';
import type { RawConfig } from './raw-config.ts';

const maxIssues = 20;

/**
 * Issues about fields that the schema does not have, and that are not in the stored configuration already: a
 * misspelt name would have no effect. Stored ones stay: another version or product may have written them.
 */
export function newFieldIssues(
  schema: z.ZodType,
  after: RawConfig,
  before: RawConfig | undefined,
): ProblemIssue[] {
  const stored = new Set(findUnknownFields(schema, before).map(identify));
  return findUnknownFields(schema, after)
    .filter((field) => !stored.has(identify(field)))
    .slice(0, maxIssues)
    .map(toIssue);
}

/** Items of a list may have moved. */
function identify({ path }: UnknownField): string {
  return JSON.stringify(path.map((key) => (/^\d+$/.test(key) ? '*' : key)));
}

function toIssue({ path, known }: UnknownField): ProblemIssue {
  const name = path.at(-1) ?? '';
  const near = nearestName(name, known);
  const next = near === undefined ? 'Remove it.' : `Did you mean "${near}"?`;
  return {
    path: path.join('.'),
    code: 'unknown-field',
    message: `Unknown field "${name}". ${next}`,
  };
}
