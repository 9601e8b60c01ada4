import type { Settings } from '@knowhow/shared/config/admin-settings';
import { createContext, use } from 'react';

/** What the environment says of the fields below. */
export const SettingsContext = createContext<Settings['environment']>([]);

/** What it says of one, if it does. */
export function useEnvironment(path: string): Settings['environment'][number] | undefined {
  return use(SettingsContext).find((said) => said.path === path);
}
