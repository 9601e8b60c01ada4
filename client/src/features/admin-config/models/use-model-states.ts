import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';

/** Availability of models by ID, including those found on this machine without a file. */
export function useModelStates() {
  const states = useQuery(allItems(adminModelsApi.states, {}));
  return new Map(states.data?.map((state) => [state.id, state]));
}
