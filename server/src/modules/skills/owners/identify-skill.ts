import { Problem } from '@knowhow/shared/problem';
import type { Database } from '../../../platform/storage/open-database.ts';
import { readContent } from '../store/skill-content.ts';
import type { SkillStore } from '../store/skill-store.ts';
import type { SkillWriter } from '../store/skill-writer.ts';
import { findOrAddSkill, findSkill } from '../versions/find-skill.ts';
import { getFolderOrigin, isInContents } from '../versions/follow-folders.ts';
import type { SkillVersions } from '../versions/skill-versions.ts';
import { lockContents } from '../versions/stored-contents.ts';

export interface IdentifyOptions {
  database: Database;
  store: Pick<SkillStore, 'snapshot'>;
  writer: Pick<SkillWriter, 'exclusive'>;
  versions: Pick<SkillVersions, 'keepBefore'>;
}

/**
 * The id of a skill, which survives renaming. A skill of `contents/` gets its first version, because a
 * renamed skill is recognised by its versions.
 */
export async function identifySkill(
  { database, store, writer, versions }: IdentifyOptions,
  name: string,
): Promise<string> {
  const known = await findSkill(database, name);
  if (known !== undefined) {
    return known;
  }
  const skill = store.snapshot.skills.get(name);
  if (skill && isInContents(skill)) {
    await writer
      .exclusive(async () =>
        versions.keepBefore(name, await readContent(skill), getFolderOrigin(skill)),
      )
      .catch(ignoreTooLarge);
  }
  return database.transaction().execute(async (write) => {
    await lockContents(write, name);
    return findOrAddSkill(write, name);
  });
}

/** A skill whose files are too large to be stored has an id all the same. */
function ignoreTooLarge(error: unknown): void {
  if (!(error instanceof Problem)) {
    throw error;
  }
}
