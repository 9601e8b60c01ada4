import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';

/** Which models can be asked, by id: also those found on this machine, which have no file. */
export function useModelStates() {
  const states = useQuery(allItems(adminModelsApi.states, {}));
  return new Map(states.data?.map((state) => [state.id, state]));
}
