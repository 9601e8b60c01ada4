import type { Settings } from '@knowhow/shared/config/admin-settings';
import { createContext, use } from 'react';
import type { SettingPath } from '../items/config-path.ts';

/** The environment's values for the fields below. */
export const SettingsContext = createContext<Settings['environment']>([]);

/** The environment's value of one setting, if any. */
export function useEnvironment(path: SettingPath): Settings['environment'][number] | undefined {
  return use(SettingsContext).find((said) => said.path === path);
}
