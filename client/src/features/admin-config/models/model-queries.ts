import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';

/** Availability of models by ID, including those found on this machine without a file. */
export function useModelStates() {
  const states = useQuery(allItems(adminModelsApi.states, {}));
  return new Map(states.data?.map((state) => [state.id, state]));
}

/** The supported providers as options; empty until loaded. */
export function useProviders(): { value: string; label: string }[] {
  const localize = useLocalize();
  const providers = useQuery(allItems(adminModelsApi.providers, {}));
  return (providers.data ?? []).map(({ id, label }) => ({ value: id, label: localize(label) }));
}
