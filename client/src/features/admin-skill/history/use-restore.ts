import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { call } from '../../../api/call.ts';
import { useKeepSkill } from '../use-skill.ts';

interface Restore {
  revision: number;
  /** Revision of the current files; undefined for a deleted skill. */
  ifMatch?: string;
}

/** Restores a version of a skill, also of a deleted one. */
export function useRestore(name: string): (restore: Restore) => Promise<AdminSkillDetail> {
  const keepSkill = useKeepSkill();
  return async ({ revision, ifMatch }) => {
    const skill = await call(skillHistoryApi.restore, { params: { name, revision } }, { ifMatch });
    void keepSkill(skill);
    return skill;
  };
}
