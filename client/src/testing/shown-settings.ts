import { operatorSettings, unshownSettings } from '@knowhow/shared/config/admin-settings';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import { leafPaths } from '@knowhow/shared/config/schema-fields';
import { skillSettingsSchema } from '@knowhow/shared/skills/skills-config';

/** The paths of all settings with a field on their page. Quotas have a form of their own. */
export const shownSettings = {
  platform: leafPaths(platformConfigSchema).filter(
    (path) => !isBelow(path, [...operatorSettings.platform, ...unshownSettings, 'quotas']),
  ),
  skills: leafPaths(skillSettingsSchema).filter((path) => !isBelow(path, operatorSettings.skills)),
};

function isBelow(path: string, parents: readonly string[]): boolean {
  return parents.some((parent) => path === parent || path.startsWith(`${parent}.`));
}
