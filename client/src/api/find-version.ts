import { problem } from '@knowhow/shared/problem';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { call } from './call.ts';

/** The number of the newest version with this checksum. Throws `not-found` if it is not kept. */
export async function findVersion(skill: string, checksum: string): Promise<number> {
  const { items } = await call(skillVersionsApi.list, { params: { skill }, query: { limit: 200 } });
  const found = items.find((version) => version.checksum === checksum);
  if (!found) {
    throw problem('not-found', 'That version is no longer kept.');
  }
  return found.number;
}
