import { useConfigItems } from '../../../ui/use-config-items.ts';
import type { Groups } from './inheritance.ts';

/** The configurations of all groups, by ID; empty until loaded. */
export function useGroups(): Groups {
  const items = useConfigItems('groups');
  return new Map(items.data?.map(({ id, config = {} }) => [id, config]));
}
