import type { SkillStore } from './skill-store.ts';

/** How many folders of all sources are not looked into: they are beyond a limit, or may not be read. */
export function countLeftOut({ sources }: SkillStore): number {
  const all = sources.map((source) => source.status().leftOut);
  return all.reduce(
    (sum, { tooDeep, tooMany, closed, links }) =>
      sum + tooDeep + tooMany + closed.length + links.length,
    0,
  );
}
