import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { modelConfigSchema } from '@knowhow/shared/config/models';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { useConfigItems } from '../../../ui/use-config-items.ts';

/** The available models, including those found on this machine; a language model first. */
export function useModels() {
  const localize = useLocalize();
  const states = useQuery(allItems(adminModelsApi.states, {}));
  const items = useConfigItems('models');
  const configs = new Map(
    items.data?.map(({ id, config }) => [id, modelConfigSchema.safeParse(config).data]),
  );
  const rank = (id: string) => {
    const config = configs.get(id);
    return config?.default ? 0 : config?.provider === 'demo' ? 2 : 1;
  };
  const models = (states.data ?? [])
    .filter(({ id, needs }) => needs === undefined && configs.get(id)?.enabled !== false)
    .map(({ id }) => ({ id, name: localize(configs.get(id)?.name) || id }))
    .sort((one, other) => rank(one.id) - rank(other.id));
  const names = new Map(models.map(({ id, name }) => [id, name]));
  const isUnlike = new Set(names.values()).size === names.size;
  const failed = states.error ? states : items;
  return {
    models,
    /** Falls back to its ID. */
    nameOf: (id: string) => (isUnlike ? names.get(id) : undefined) ?? id,
    data: states.data,
    error: failed.error,
    refetch: failed.refetch,
  };
}
