import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '../../../api/query.ts';

/** Searches the skills on the server, since there may be thousands: the first that fit. */
export function useSkillSearch(text: string) {
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const search = useQuery({
    ...query(adminSkillsApi.list, {
      // The server gives of what is typed the best first: by name that might not be among the first.
      query: { limit: 20, ...(wanted ? { query: wanted } : { sort: 'name' }) },
    }),
    placeholderData: keepPreviousData,
  });
  // Of several with one name only the first can be meant.
  return (search.data?.items ?? []).filter(({ status }) => status !== 'shadowed');
}
