import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQueryFilter } from '../../api/query.ts';

/** Invalidates all queries that show skills. */
export function useRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [adminSkillsApi.list, adminSkillsApi.get, adminSkillsApi.access].map((endpoint) =>
        queryClient.invalidateQueries(endpointQueryFilter(endpoint)),
      ),
    );
}
