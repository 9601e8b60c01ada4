import { useSearchParams } from 'react-router';
import { parseFilters, type SkillFilters, serializeFilters } from './skill-filters.ts';

/** The filters in the page's URL. Changing one returns to the first page. */
export function useSkillFilters() {
  const [search, setSearch] = useSearchParams();
  const filters = parseFilters(search);

  // Otherwise every pause in typing would add a history entry.
  function change(changed: Partial<SkillFilters>, replace = 'query' in changed): void {
    setSearch(serializeFilters({ ...filters, page: 1, ...changed }), { replace });
  }

  return { filters, change, clear: () => setSearch({}) };
}
