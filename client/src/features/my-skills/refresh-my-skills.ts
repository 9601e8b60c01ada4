import { libraryApi } from '@knowhow/shared/skills/library';
import { mySkillsApi, type PersonalSkillDetail } from '@knowhow/shared/skills/personal-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import type { QueryClient } from '@tanstack/react-query';
import { endpointQueryFilter, query } from '../../api/query.ts';

/** Loads lists of skills again after a change, and shows a saved skill at once. */
export function refreshMySkills(queryClient: QueryClient, saved?: PersonalSkillDetail): void {
  if (saved) {
    const { queryKey } = query(mySkillsApi.get, { params: { name: saved.name } });
    queryClient.setQueryData(queryKey, saved);
  }
  for (const endpoint of [
    mySkillsApi.list,
    mySkillsApi.recipients,
    skillsApi.list,
    skillsApi.get,
    libraryApi.list,
    libraryApi.get,
  ]) {
    void queryClient.invalidateQueries(endpointQueryFilter(endpoint));
  }
}
