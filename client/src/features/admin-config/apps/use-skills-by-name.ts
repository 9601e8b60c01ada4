import { Problem } from '@knowhow/shared/problem';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQueries, useQuery } from '@tanstack/react-query';
import { allItems, query } from '../../../api/query.ts';

/** Up to this many skills are looked up one by one; beyond that, all are loaded. */
const mostSingle = 20;

/** Looks up listed skills. */
export function useSkillsByName(names: string[]) {
  const isMany = names.length > mostSingle;
  const list = allItems(adminSkillsApi.list, { query: { sort: 'name' } }, Number.POSITIVE_INFINITY);
  const all = useQuery({ ...list, enabled: isMany });
  const answers = useQueries({
    queries: isMany ? [] : names.map((name) => query(adminSkillsApi.get, { params: { name } })),
  });
  if (isMany) {
    const byName = new Map(
      all.data?.filter(({ status }) => status !== 'shadowed').map((skill) => [skill.name, skill]),
    );
    return names.map((name) => {
      const skill = byName.get(name);
      return { name, skill, isMissing: all.isSuccess && !skill };
    });
  }
  return names.map((name, index) => {
    const { data, error } = answers[index] ?? {};
    return { name, skill: data, isMissing: error instanceof Problem && error.code === 'not-found' };
  });
}
