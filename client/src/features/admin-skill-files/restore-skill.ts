import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { call } from '../../api/call.ts';
import { findVersion } from '../../api/find-version.ts';

/** Restores an earlier version of a skill. Throws if the skill has changed since the given version. */
export async function restoreSkill(
  { name, checksum }: Pick<AdminSkillDetail, 'name' | 'checksum'>,
  before: string,
): Promise<AdminSkillDetail> {
  const number = await findVersion(name, before);
  return call(skillVersionsApi.restore, { params: { skill: name, number } }, { ifMatch: checksum });
}
