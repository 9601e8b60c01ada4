import { z } from 'zod';
import { triggerModelsSchema } from './trigger-schedule.ts';

/** Checks of a draft whose level is a setting, in the order in which pages show them. */
export const configurableChecks = [
  'diagnostics',
  'secrets',
  'scripts',
  'dependencies',
  'links',
  'size',
  'triggers',
] as const;

/** `required`: a failed check stops publication, unless it is overridden with a reason. */
export const checkLevels = ['off', 'advisory', 'required'] as const;

export type CheckLevel = (typeof checkLevels)[number];

const level = z.enum(checkLevels);

/** `publishing.checks` of `skills.json`. */
export const checkSettingsSchema = z.looseObject({
  diagnostics: level.default('required'),
  secrets: level.default('advisory'),
  scripts: level.default('advisory'),
  dependencies: level.default('advisory'),
  links: level.default('advisory'),
  size: level.default('advisory'),
  triggers: level.default('off'),
} satisfies Record<(typeof configurableChecks)[number], unknown>);

/** `publishing.byCategory.<category>.checks`: checks without a level have the general one. */
export const categoryChecksSchema = z.looseObject({
  diagnostics: level.optional(),
  secrets: level.optional(),
  scripts: level.optional(),
  dependencies: level.optional(),
  links: level.optional(),
  size: level.optional(),
  triggers: level.optional(),
} satisfies Record<(typeof configurableChecks)[number], unknown>);

/** `publishing.triggerTests`: what the check `triggers` asks of a draft. */
export const triggerCheckSchema = z.looseObject({
  /** Ids of the models that must have tested the draft; without any, those of its last test count. */
  models: triggerModelsSchema.default([]),
  /** Percentage points by which the share of right results may be below that of the published version. */
  maxLoss: z.number().int().min(0).max(100).default(5),
});
