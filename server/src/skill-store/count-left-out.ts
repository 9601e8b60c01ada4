import type { SkillStore } from './skill-store.ts';

/** How many folders of all sources are not looked into: they are beyond a limit, or may not be read. */
export function countLeftOut({ sources }: SkillStore): number {
  return sources.reduce(
    (sum, { leftOut: { tooDeep, tooMany, closed } }) => sum + tooDeep + tooMany + closed.length,
    0,
  );
}
