import { isRecord } from '@knowhow/shared/is-record';
import { type SkillsConfig, skillBlockSchema } from '@knowhow/shared/skills/skills-config';
import type { JsonFile } from './read-json-file.ts';

/**
 * Recovers the blocks of a broken `skills.json`, so that a mistake in it does not end them. A block that is wrong
 * still blocks its skill; its reason is unknown.
 */
export function recoverBlocks(file: JsonFile<unknown>): SkillsConfig['blocked'] {
  const { blocked } = file.state === 'good' && isRecord(file.value) ? file.value : {};
  return Object.fromEntries(
    Object.entries(isRecord(blocked) ? blocked : {}).map(([id, block]) => [
      id,
      skillBlockSchema.safeParse(block).data ?? { reason: unknownReason, tellUsers: false },
    ]),
  );
}

const unknownReason = 'The reason in config/skills.json cannot be read.';
