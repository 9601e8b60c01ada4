import type { ConfigChoice } from '@knowhow/shared/config/admin';
import { localizedSchema } from '@knowhow/shared/config/localized';
import { useLocalize } from '../../i18n/use-localize.ts';
import { useConfigItems } from '../../ui/use-config-items.ts';

interface Named {
  id: string;
  name: string;
}

/** The apps and groups by display name. */
export function useReachNames(): { apps: Named[]; groups: Named[] } {
  const localize = useLocalize();
  const apps = useConfigItems('apps');
  const groups = useConfigItems('groups');

  function named({ id, config }: ConfigChoice): Named {
    const name = localizedSchema.safeParse(config?.name);
    return { id, name: (name.success && localize(name.data)) || id };
  }

  return { apps: apps.data?.map(named) ?? [], groups: groups.data?.map(named) ?? [] };
}
