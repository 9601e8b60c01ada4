import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQueryClient } from '@tanstack/react-query';
import { everyQueryOf } from '../../api/query.ts';

/** Invalidates all queries that show skills. */
export function useRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [adminSkillsApi.list, adminSkillsApi.get, adminSkillsApi.access].map((endpoint) =>
        queryClient.invalidateQueries(everyQueryOf(endpoint)),
      ),
    );
}
