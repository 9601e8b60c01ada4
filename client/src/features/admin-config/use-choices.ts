import type { ConfigKind } from '@knowhow/shared/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import type { IdChoice } from './ids-field.tsx';
import { configApis } from './items/config-kind.ts';
import { nameOf } from './name-of.ts';

/** The items of a kind as what can be chosen, once they are known. */
export function useChoices(kind: ConfigKind): IdChoice[] | undefined {
  const localize = useLocalize();
  const items = useQuery(allItems(configApis[kind].list, {}));
  return items.data?.map((item) => {
    const name = nameOf(item, localize);
    return { value: item.id, label: name === item.id ? name : `${name} (${item.id})` };
  });
}
