import { adminGroupsApi } from '@knowhow/shared/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../api/query.ts';

/** What each group is called, by id. */
export function useGroupNames(): ReadonlyMap<string, string> {
  const groups = useQuery(allItems(adminGroupsApi.list, {}));
  return new Map(
    groups.data?.map(({ id, config }) => [
      id,
      typeof config?.name === 'string' && config.name !== '' ? config.name : id,
    ]),
  );
}
