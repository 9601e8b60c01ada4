import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillStates } from './skill-states.ts';
import { ignoreMissing } from './walk-folder.ts';

/**
 * Migrates states that earlier versions stored as files, `<skill>/<checksum>.zip`, to the database.
 * Each file is deleted only after it is stored, so that a crash loses none.
 *
 * @param checksumsOf checksums in a skill's history: other states are deleted
 */
export async function migrateSkillStates(
  directory: string,
  states: SkillStates,
  checksumsOf: (skill: string) => Promise<ReadonlySet<string | null>>,
): Promise<void> {
  for (const skill of (await ignoreMissing(readdir(directory))) ?? []) {
    const folder = join(directory, skill);
    const checksums = await checksumsOf(skill);
    for (const name of (await ignoreMissing(readdir(folder))) ?? []) {
      const path = join(folder, name);
      const checksum = name.replace(/\.zip$/, '');
      if (checksums.has(checksum)) {
        await states.writeZip(skill, checksum, () => readFile(path));
      }
      await rm(path, { recursive: true, force: true });
    }
  }
  await rm(directory, { recursive: true, force: true });
}
