import type { ConfigChoice } from '@knowhow/shared/config/admin';
import type { Localized } from '@knowhow/shared/config/localized';
import { localizedOf } from './items/config-value.ts';

/** What an item is called; its id when it has no name. */
export function nameOf(
  { id, config }: ConfigChoice,
  localize: (text: Localized | undefined) => string,
): string {
  return localize(localizedOf(config?.name)) || id;
}
