import type { SkillStore } from './skill-store.ts';

/** Number of folders skipped in all sources: beyond a limit, or not readable. */
export function countLeftOut({ sources }: SkillStore): number {
  const all = sources.map((source) => source.status().leftOut);
  return all.reduce(
    (sum, { tooDeep, tooMany, closed, links }) =>
      sum + tooDeep + tooMany + closed.length + links.length,
    0,
  );
}
