import {
  mostNeverUsed,
  type ReportQuery,
  type SkillReport,
} from '@knowhow/shared/config/analytics';
import { skillEntries, statusOf } from '../admin/skill-entries.ts';
import { skillReach } from '../admin/skill-reach.ts';
import type { Contents } from '../content/contents.ts';
import type { SkillSnapshot } from '../skill-store/skill-snapshot.ts';

/**
 * The skills that are on, in an app and for a group, or in and for these, and were in no answer.
 *
 * @param used names of those that were
 */
export function neverUsed(
  used: ReadonlySet<string>,
  { app, group }: Pick<ReportQuery, 'app' | 'group'>,
  { snapshot, contents }: { snapshot: SkillSnapshot; contents: Contents },
): SkillReport['neverUsed'] {
  const reachOf = skillReach(contents);
  const isIn = (ids: readonly string[], id: string | undefined) =>
    id === undefined ? ids.length > 0 : ids.includes(id);
  const names = skillEntries(snapshot)
    .filter((entry) => !used.has(entry.name) && statusOf(entry, contents.skills) === 'on')
    .map(({ name }) => name)
    .filter((name) => {
      const { apps, groups } = reachOf(name);
      return isIn(apps, app) && isIn(groups, group);
    });
  return { names: names.slice(0, mostNeverUsed), total: names.length };
}
