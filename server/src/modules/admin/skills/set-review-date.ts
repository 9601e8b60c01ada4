import { getSkillSettings } from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { findEntry } from './skill-entries.ts';
import { writeEntry } from './update-skill.ts';

/**
 * Sets the last day by which a skill must be reviewed; `null` removes it. Throws `not-found`. Callers check who
 * may do this: an owner may, without a permission.
 */
export async function setReviewDate(
  admin: SkillAdmin,
  { name: given, by }: { name: string; by: { id: string; name: string } },
  reviewBy: string | null,
): Promise<{ reviewBy?: string }> {
  const { name } = findEntry(admin.skills.snapshot, given);
  const read = () => {
    const date = getSkillSettings(name, admin.contents().skills)?.reviewBy;
    return date === undefined ? {} : { reviewBy: date };
  };
  const before = read();
  if (before.reviewBy === (reviewBy ?? undefined)) {
    return before;
  }
  await writeEntry(admin, name, { reviewBy });
  const after = read();
  await admin.audit.record({
    by: { id: by.id, name: by.name },
    action: 'review-date-changed',
    kind: 'skill',
    target: name,
    before,
    after,
  });
  return after;
}
