import type { ListedSkill } from '@knowhow/shared/skills/admin-skill';
import type { Caller } from '../../../platform/http/caller.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { filterDrafts, filterReviews } from './skill-scope.ts';

/** Adds to listed skills whether they have a draft, and their open review, as far as the caller may see these. */
export async function addOpenChanges(
  admin: SkillAdmin,
  caller: Caller,
  items: readonly ListedSkill[],
): Promise<ListedSkill[]> {
  const names = new Set(items.map(({ name }) => name));
  const open = await admin.drafts.openChanges([...names]);
  const drafts = await filterDrafts(admin, caller, open.drafts);
  const reviews = await filterReviews(admin, caller, open.reviews);
  const drafted = new Set(drafts.map(({ skill }) => skill));
  const reviewed = new Map(reviews.map(({ skill, id }) => [skill, id]));
  return items.map((item) =>
    item.status === 'shadowed'
      ? item
      : {
          ...item,
          ...(drafted.has(item.name) ? { hasDraft: true } : {}),
          ...(reviewed.has(item.name) ? { review: reviewed.get(item.name) } : {}),
        },
  );
}
