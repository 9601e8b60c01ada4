import type { Kysely } from 'kysely';
import { groupBy } from '../../../platform/lib/group-by.ts';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { readCategory } from './category-of.ts';

/** The categories of all versions with files of skills, by name. A skill without any is missing. */
export async function readVersionCategories(
  database: Kysely<Schema>,
  names: readonly string[],
): Promise<Map<string, (string | undefined)[]>> {
  const rows = await database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .select(['skills.name', 'version.category'])
    .distinct()
    .where('skills.name', 'in', inList(names))
    .where('version.manifest', 'is not', null)
    .execute();
  const byName = groupBy(rows, ({ name }) => name);
  return new Map(
    [...byName].map(([name, all]) => [name, all.map(({ category }) => readCategory(category))]),
  );
}
