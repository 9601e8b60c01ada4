import type { Database } from '../../../platform/storage/open-database.ts';
import { readCategory } from '../versions/category-of.ts';

/** A review that was returned, and whose draft has not been submitted again since. */
export interface ReturnedReview {
  id: string;
  /** Name of the skill. */
  skill: string;
  /** The category of the submitted files. */
  category: string | undefined;
  /** Display name of the reviewer. */
  by: string;
  comment: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** Maximum number in the inbox of an author. */
const maxReturned = 200;

/** Returned reviews of a skill, at most one, or those that a user has submitted, newest first. */
export async function listReturned(
  database: Database,
  wanted: { skill: string } | { author: string },
): Promise<ReturnedReview[]> {
  const returned = database
    .selectFrom('skill_reviews as review')
    .innerJoin('skills', 'skills.id', 'review.skill')
    .innerJoin('skill_drafts as draft', 'draft.skill', 'review.skill')
    .select(['review.id', 'review.category', 'review.comment', 'skills.name'])
    .select(['review.decided_at', 'review.decided_by'])
    .where('review.state', '=', 'returned')
    // Another draft may have been begun since.
    .whereRef('draft.created_at', '<=', 'review.decided_at')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('skill_reviews as later')
            .select('later.id')
            .whereRef('later.skill', '=', 'review.skill')
            .whereRef('later.created_at', '>', 'review.created_at'),
        ),
      ),
    );
  const chosen =
    'skill' in wanted
      ? returned.where('skills.name', '=', wanted.skill)
      : returned.where('review.author_id', '=', wanted.author);
  const rows = await chosen
    .orderBy('review.decided_at', 'desc')
    .orderBy('review.id')
    .limit(maxReturned)
    .execute();
  return rows.map(({ id, name, category, comment, decided_at, decided_by }) => ({
    ...{ id, skill: name, category: readCategory(category) },
    ...{ by: decided_by ?? '', comment: comment ?? '', at: decided_at ?? '' },
  }));
}
