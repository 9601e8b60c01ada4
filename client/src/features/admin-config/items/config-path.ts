import type { platformConfigSchema } from '@knowhow/shared/config/platform';
import type { FieldPath } from '@knowhow/shared/config/schema-fields';
import type { skillSettingsSchema } from '@knowhow/shared/skills/skills-config';
import type { configSchemas } from './config-kind.ts';

/** The path of a setting, such as `rateLimit.requests`. */
export type SettingPath =
  | FieldPath<typeof platformConfigSchema>
  | FieldPath<typeof skillSettingsSchema>;

/** The path of a field in a configuration that has a form. A misspelled path does not compile. */
export type ConfigPath =
  | SettingPath
  | FieldPath<(typeof configSchemas)[keyof typeof configSchemas]>;
