import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';

/** The supported providers as options; empty until loaded. */
export function useProviders(): { value: string; label: string }[] {
  const localize = useLocalize();
  const providers = useQuery(allItems(adminModelsApi.providers, {}));
  return (providers.data ?? []).map(({ id, label }) => ({ value: id, label: localize(label) }));
}
