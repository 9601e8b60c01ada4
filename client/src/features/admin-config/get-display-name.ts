import type { ConfigChoice } from '@knowhow/shared/config/admin';
import type { Localized } from '@knowhow/shared/config/localized';
import { asLocalized } from './items/config-value.ts';

/** The name of an item, or its ID if it has none. */
export function getDisplayName(
  { id, config }: ConfigChoice,
  localize: (text: Localized | undefined) => string,
): string {
  return localize(asLocalized(config?.name)) || id;
}
