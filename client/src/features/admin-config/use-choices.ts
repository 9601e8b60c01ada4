import type { ConfigKind } from '@knowhow/shared/config/admin-config';
import { useLocalize } from '../../i18n/use-localize.ts';
import { useConfigItems } from '../../ui/use-config-items.ts';
import { getDisplayName } from './get-display-name.ts';
import type { IdChoice } from './ids-field.tsx';

/** The items of a kind as options, once loaded. */
export function useChoices(kind: ConfigKind): IdChoice[] | undefined {
  const localize = useLocalize();
  const items = useConfigItems(kind);
  return items.data?.map((item) => {
    const name = getDisplayName(item, localize);
    return { value: item.id, label: name === item.id ? name : `${name} (${item.id})` };
  });
}
