import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { call } from '../../../api/call.ts';
import { useKeepSkill } from '../use-skill.ts';

interface Restore {
  revision: number;
  /** Of the files as they are now; left out where there are none any more. */
  ifMatch?: string;
}

/** Brings back a state of a skill, also of one that was deleted. */
export function useRestore(name: string): (restore: Restore) => Promise<AdminSkillDetail> {
  const keepSkill = useKeepSkill();
  return async ({ revision, ifMatch }) => {
    const skill = await call(skillHistoryApi.restore, { params: { name, revision } }, { ifMatch });
    void keepSkill(skill);
    return skill;
  };
}
