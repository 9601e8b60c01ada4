import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';

/** The id of a skill by its current or last name. */
export async function findSkill(
  database: Kysely<Schema>,
  name: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('skills')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id;
}

export async function findOrAddSkill(write: Kysely<Schema>, name: string): Promise<string> {
  const found = await findSkill(write, name);
  if (found !== undefined) {
    return found;
  }
  const id = randomUUID();
  await write.insertInto('skills').values({ id, name }).execute();
  return id;
}

/** Renames the skill whose newest version has these files, if its folder is gone. */
export async function adoptRenamed(
  database: Kysely<Schema>,
  {
    name,
    checksum,
    isThere,
  }: { name: string; checksum: string; isThere: (name: string) => boolean },
): Promise<void> {
  const found = await database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .select(['skills.id', 'skills.name'])
    .where('version.checksum', '=', checksum)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('skill_versions as later')
            .select('later.number')
            .whereRef('later.skill', '=', 'version.skill')
            .whereRef('later.number', '>', 'version.number')
            // The old folder may have been noticed as removed before the new one is.
            .where(({ or, eb }) =>
              or([eb('later.checksum', 'is not', null), eb('later.origin', '!=', 'file-system')]),
            ),
        ),
      ),
    )
    .execute();
  const renamed = found.filter((other) => !isThere(other.name));
  const [only] = renamed;
  if (only && renamed.length === 1) {
    await database.updateTable('skills').set({ name }).where('id', '=', only.id).execute();
  }
}
