import { z } from 'zod';

/** Checks of a draft whose level is a setting, in the order in which pages show them. */
export const configurableChecks = [
  'diagnostics',
  'secrets',
  'scripts',
  'dependencies',
  'links',
  'size',
] as const;

/** `required`: a failed check stops publication, unless it is overridden with a reason. */
export const checkLevels = ['off', 'advisory', 'required'] as const;

const level = z.enum(checkLevels);

/** `publishing.checks` of `skills.json`. */
export const checkSettingsSchema = z.looseObject({
  diagnostics: level.default('required'),
  secrets: level.default('advisory'),
  scripts: level.default('advisory'),
  dependencies: level.default('advisory'),
  links: level.default('advisory'),
  size: level.default('advisory'),
} satisfies Record<(typeof configurableChecks)[number], unknown>);
