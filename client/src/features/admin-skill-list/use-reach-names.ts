import { adminAppsApi, adminGroupsApi, type ConfigItem } from '@knowhow/shared/admin-config';
import { localizedSchema } from '@knowhow/shared/localized';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';

interface Named {
  id: string;
  name: string;
}

/** The apps and groups there are, by the names people know them by. */
export function useReachNames(): { apps: Named[]; groups: Named[] } {
  const localize = useLocalize();
  const apps = useQuery(allItems(adminAppsApi.list, {}));
  const groups = useQuery(allItems(adminGroupsApi.list, {}));

  function named({ id, config }: ConfigItem): Named {
    const name = localizedSchema.safeParse(config?.name);
    return { id, name: (name.success && localize(name.data)) || id };
  }

  return { apps: apps.data?.map(named) ?? [], groups: groups.data?.map(named) ?? [] };
}
