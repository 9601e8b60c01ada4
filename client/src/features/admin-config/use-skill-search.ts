import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '../../api/query.ts';

/** Searches the skills on the server, since there may be thousands: the first that fit. */
export function useSkillSearch(text: string) {
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const search = useQuery({
    ...query(adminSkillsApi.list, {
      query: { limit: 20, sort: 'name', ...(wanted ? { query: wanted } : {}) },
    }),
    placeholderData: keepPreviousData,
  });
  // Of several with one name only the first can be meant.
  return (search.data?.items ?? []).filter(({ status }) => status !== 'shadowed');
}
