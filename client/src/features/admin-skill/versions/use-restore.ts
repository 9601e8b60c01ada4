import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { call } from '../../../api/call.ts';
import { useKeepSkill } from '../use-skill.ts';

interface Restore {
  /** The number of the version. */
  number: number;
  /** Checksum of the current files; undefined for a deleted skill. */
  ifMatch?: string;
  /** Why it is published in spite of required checks that fail. */
  override?: string | undefined;
}

/** Restores a version of a skill, also of a deleted one. */
export function useRestore(name: string): (restore: Restore) => Promise<AdminSkillDetail> {
  const keepSkill = useKeepSkill();
  return async ({ number, ifMatch, override }) => {
    const params = { skill: name, number };
    const skill = await call(
      skillVersionsApi.restore,
      { params, query: { override } },
      { ifMatch },
    );
    void keepSkill(skill);
    return skill;
  };
}
