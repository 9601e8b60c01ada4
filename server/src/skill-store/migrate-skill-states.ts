import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillStates } from './skill-states.ts';
import { unlessGone } from './walk-folder.ts';

/**
 * Moves the states that earlier versions kept as files, `<skill>/<checksum>.zip`, into the database. A
 * file goes when it is there, so that a crash loses none.
 *
 * @param checksumsOf those of which a skill's history has a row: others are not wanted any more
 */
export async function migrateSkillStates(
  directory: string,
  states: SkillStates,
  checksumsOf: (skill: string) => Promise<ReadonlySet<string | null>>,
): Promise<void> {
  for (const skill of (await unlessGone(readdir(directory))) ?? []) {
    const folder = join(directory, skill);
    const checksums = await checksumsOf(skill);
    for (const name of (await unlessGone(readdir(folder))) ?? []) {
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
