import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQueryClient } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';

/** Loads the names of all skills, including those that are off. */
export function useAllSkillNames(): () => Promise<string[]> {
  const queryClient = useQueryClient();
  return async () => {
    const all = allItems(
      adminSkillsApi.list,
      { query: { sort: 'name' } },
      Number.POSITIVE_INFINITY,
    );
    const skills = await queryClient.fetchQuery(all);
    return skills.filter(({ status }) => status !== 'shadowed').map(({ name }) => name);
  };
}
