import type { TFunction } from 'i18next';
import type { z } from 'zod';
import { valueAt } from '../with-value.ts';
import { asText, type Config } from './config-value.ts';

/** Validation errors of a configuration by path, in the reader's language. */
export function configErrors(
  schema: z.ZodType,
  config: Config,
  t: TFunction,
): Record<string, string> {
  const issues = schema.safeParse(config).error?.issues ?? [];
  return Object.fromEntries(
    issues
      .map((issue) => ({ issue, path: issue.path.map(String) }))
      .filter(({ path }) => !hasPlaceholder(valueAt(config, path)))
      .map(({ issue, path }) => [path.join('.'), getIssueText(issue, valueAt(config, path), t)]),
  );
}

/** Only the server can resolve `${NAME}`. */
function hasPlaceholder(value: unknown): boolean {
  return asText(value)?.includes('${') ?? false;
}

function getIssueText(issue: z.core.$ZodIssue, value: unknown, t: TFunction): string {
  if (value === undefined || value === '') {
    return t('adminConfig.invalid.missing');
  }
  switch (issue.code) {
    case 'too_small':
      return t('adminConfig.invalid.least', {
        limit: Number(issue.minimum) + (issue.inclusive ? 0 : 1),
      });
    case 'too_big':
      return t('adminConfig.invalid.most', { limit: Number(issue.maximum) });
    case 'invalid_format':
      return issue.format === 'regex'
        ? t('adminConfig.invalid.signs')
        : t('adminConfig.invalid.address');
    case 'invalid_union': {
      const format = issue.errors.flat().find(({ code }) => code === 'invalid_format');
      return format ? getIssueText(format, value, t) : t('adminConfig.invalid.shape');
    }
    default:
      return t('adminConfig.invalid.other', { message: issue.message });
  }
}
