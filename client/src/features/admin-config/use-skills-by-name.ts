import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { Problem } from '@knowhow/shared/problem';
import { useQueries } from '@tanstack/react-query';
import { query } from '../../api/query.ts';

/** Looks up skills that are listed somewhere. */
export function useSkillsByName(names: string[]) {
  const answers = useQueries({
    queries: names.map((name) => query(adminSkillsApi.get, { params: { name } })),
  });
  return names.map((name, index) => {
    const { data, error } = answers[index] ?? {};
    return { name, skill: data, isMissing: error instanceof Problem && error.code === 'not-found' };
  });
}
