import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { call } from '../../api/call.ts';

/** Restores an earlier version of a skill. Throws if the skill has changed since the given version. */
export async function restoreSkill(
  { name, checksum }: AdminSkillDetail,
  before: string,
): Promise<AdminSkillDetail> {
  const { items } = await call(skillHistoryApi.history, { params: { name } });
  const revision = items.find((state) => state.checksum === before)?.number;
  if (revision === undefined) {
    throw problem('not-found', 'The history of the skill does not go back that far.');
  }
  return call(skillHistoryApi.restore, { params: { name, revision } }, { ifMatch: checksum });
}
