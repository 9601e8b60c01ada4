import type { Kysely } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { readCategory } from '../versions/category-of.ts';

/** A draft or an open review, without its files. */
export interface OpenChange {
  skill: string;
  /** The one in its `SKILL.md`; undefined for none. */
  category: string | undefined;
}

/** The drafts and open reviews of these skills. */
export interface OpenChanges {
  drafts: OpenChange[];
  reviews: (OpenChange & { id: string })[];
}

export async function findOpenChanges(
  database: Kysely<Schema>,
  names: readonly string[],
): Promise<OpenChanges> {
  const drafts = await database
    .selectFrom('skill_drafts')
    .innerJoin('skills', 'skills.id', 'skill_drafts.skill')
    .select(['skills.name', 'skill_drafts.category'])
    .where('skills.name', 'in', inList(names))
    .execute();
  const reviews = await database
    .selectFrom('skill_reviews')
    .innerJoin('skills', 'skills.id', 'skill_reviews.skill')
    .select(['skills.name', 'skill_reviews.category', 'skill_reviews.id'])
    .where('skills.name', 'in', inList(names))
    .where('skill_reviews.state', '=', 'open')
    .execute();
  return {
    drafts: drafts.map(toChange),
    reviews: reviews.map(({ id, ...row }) => ({ ...toChange(row), id })),
  };
}

function toChange({ name, category }: { name: string; category: string | null }): OpenChange {
  return { skill: name, category: readCategory(category) };
}
