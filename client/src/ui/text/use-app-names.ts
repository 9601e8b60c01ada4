import { localizedSchema } from '@knowhow/shared/config/localized';
import { useLocalize } from '../../i18n/use-localize.ts';
import { useConfigItems } from '../use-config-items.ts';

/** App names by ID. */
export function useAppNames(): ReadonlyMap<string, string> {
  const localize = useLocalize();
  const apps = useConfigItems('apps');
  return new Map(
    apps.data?.map(({ id, config }) => [
      id,
      localize(localizedSchema.safeParse(config?.name).data) || id,
    ]),
  );
}
