import { adminGroupsApi } from '@knowhow/shared/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';
import type { Groups } from './inheritance.ts';

/** The configurations of all groups, by id; none until they are known. */
export function useGroups(): Groups {
  const items = useQuery(allItems(adminGroupsApi.list, {}));
  return new Map(items.data?.map(({ id, config = {} }) => [id, config]));
}
