import type { SkillStore } from './skill-store.ts';

/** How many folders of all sources are not looked into, as they are beyond a limit. */
export function countLeftOut({ sources }: SkillStore): number {
  return sources.reduce((sum, { leftOut }) => sum + leftOut.tooDeep + leftOut.tooMany, 0);
}
