import { formatCount } from '../../../platform/lib/format-count.ts';
import type { LeftOut, ScanLimits } from './scan-limits.ts';
import type { SkillStore } from './skill-store.ts';

const maxNamed = 5;

/** A message for each reason why folders were skipped: how many, and what to do. */
export function describeLeftOut(
  { tooDeep, tooMany, closed, foreign, links }: LeftOut,
  { maxDepth, maxFolders }: ScanLimits,
): string[] {
  return [
    ...(tooDeep > 0
      ? [
          `${wereNot(tooDeep)} looked into: deeper than ${formatCount(maxDepth, 'level')}. Move the skills up, or set SKILLS_MAX_DEPTH higher.`,
        ]
      : []),
    ...(tooMany > 0
      ? [
          `${wereNot(tooMany)} looked into, nor what is in them: there are more than ${formatCount(maxFolders, 'folder')}. Name smaller folders, or set SKILLS_MAX_FOLDERS higher.`,
        ]
      : []),
    ...(closed.length > 0
      ? [
          `${wereNot(closed.length)} looked into, as they may not be read: ${named(closed)}. Give the user who runs this the right to read them.`,
        ]
      : []),
    ...(foreign.length > 0
      ? [
          `Not read, as these files are no skills but belong to plugins of AnythingLLM or are typed skills: ${named(foreign)}. Import them at /admin/skills/import, or put each into a folder of its own in contents/plugins.`,
        ]
      : []),
    ...(links.length > 0
      ? [
          `${formatCount(links.length, 'link')} ${links.length === 1 ? 'was' : 'were'} not followed: ${named(links)}. A link may only lead to what is in the same source, and not to a folder around it. Copy its target into the source, or add the target's folder to SKILLS_EXTRA_DIRS.`,
        ]
      : []),
  ];
}

function named(paths: readonly string[]): string {
  const some = paths.slice(0, maxNamed).join(', ');
  return paths.length > maxNamed ? `${some}, …` : some;
}

function wereNot(count: number): string {
  return `${formatCount(count, 'folder')} ${count === 1 ? 'was' : 'were'} not`;
}

/** Number of folders skipped in all sources: beyond a limit, or not readable. */
export function countLeftOut({ sources }: SkillStore): number {
  const all = sources.map((source) => source.status().leftOut);
  return all.reduce(
    (sum, { tooDeep, tooMany, closed, links }) =>
      sum + tooDeep + tooMany + closed.length + links.length,
    0,
  );
}
