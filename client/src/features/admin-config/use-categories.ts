import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/query.ts';
import { useRight } from '../../ui/rights.ts';

/** Facets of one answer. */
const most = 200;

/** The categories of all skills, most frequent first; undefined while unknown, and without the right to see them. */
export function useCategories(): string[] | undefined {
  const mayRead = useRight('skills', 'groups', 'skill-author');
  const facets = useQuery({
    ...query(adminSkillsApi.facets, { query: { field: 'category', limit: most } }),
    enabled: mayRead,
  });
  return facets.data?.items.map(({ value }) => value);
}
