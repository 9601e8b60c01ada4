import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '../../../api/query.ts';

/** Searches the skills on the server, because there may be thousands; returns the first matches. */
export function useSkillSearch(text: string) {
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const search = useQuery({
    ...query(adminSkillsApi.list, {
      // The server ranks matches; by name, the best might not be among the first.
      query: { limit: 20, ...(wanted ? { query: wanted } : { sort: 'name' }) },
    }),
    placeholderData: keepPreviousData,
  });
  // If several share a name, it refers to the first.
  return (search.data?.items ?? []).filter(({ status }) => status !== 'shadowed');
}
