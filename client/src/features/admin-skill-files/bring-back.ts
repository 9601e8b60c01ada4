import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { call } from '../../api/call.ts';

/** Brings a skill back to an earlier state. Throws when somebody has changed it since it was as given. */
export async function bringBack(
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
