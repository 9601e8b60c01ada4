import { useConfigItems } from '../use-config-items.ts';

/** Group names by ID. */
export function useGroupNames(): ReadonlyMap<string, string> {
  const groups = useConfigItems('groups');
  return new Map(
    groups.data?.map(({ id, config }) => [
      id,
      typeof config?.name === 'string' && config.name !== '' ? config.name : id,
    ]),
  );
}
