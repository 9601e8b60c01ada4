import { maxNeverUsed, type ReportQuery, type SkillReport } from '@knowhow/shared/config/analytics';
import { getSkillStatus, skillEntries } from '../../admin/skills/skill-entries.ts';
import { skillReach } from '../../admin/skills/skill-reach.ts';
import type { Contents } from '../../content/contents.ts';
import type { SkillSnapshot } from '../../skills/store/skill-snapshot.ts';

/**
 * Enabled skills without any use that are offered in an app and to a group, optionally restricted to these.
 *
 * @param used names of the used skills
 */
export function neverUsed(
  used: ReadonlySet<string>,
  { app, group }: Pick<ReportQuery, 'app' | 'group'>,
  { snapshot, contents }: { snapshot: SkillSnapshot; contents: Contents },
): SkillReport['neverUsed'] {
  const getReach = skillReach(contents);
  const matches = (ids: readonly string[], id: string | undefined) =>
    id === undefined ? ids.length > 0 : ids.includes(id);
  const names = skillEntries(snapshot)
    .filter((entry) => !used.has(entry.name) && getSkillStatus(entry, contents.skills) === 'on')
    .map(({ name }) => name)
    .filter((name) => {
      const { apps, groups } = getReach(name);
      return matches(apps, app) && matches(groups, group);
    });
  return { names: names.slice(0, maxNeverUsed), total: names.length };
}
