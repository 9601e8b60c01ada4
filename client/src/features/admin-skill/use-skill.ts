import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { query } from '../../api/query.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';

export function skillQuery(name: string) {
  return query(adminSkillsApi.get, { params: { name } });
}

export function useSkill(name: string) {
  return useQuery(skillQuery(name));
}

/** Stores the skill from a write response in the cache. */
export function useKeepSkill(): (skill: AdminSkillDetail) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    (skill) => {
      queryClient.setQueryData(skillQuery(skill.name).queryKey, skill);
      return refreshSkills(queryClient);
    },
    [queryClient],
  );
}
