import type { NamedUse, ReportQuery, SkillReport, Use } from '@knowhow/shared/config/analytics';
import { maxNeverUsed } from '@knowhow/shared/config/analytics';
import type { LongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { getSkillStatus, skillEntries, skillReach } from '../../admin/index.ts';
import type { Contents } from '../../content/index.ts';
import { getSkillSettings, offerTest, type SkillSnapshot } from '../../skills/index.ts';
import { resolveRange, weeksBetween } from './date-range.ts';
import { reportQueries } from './query-facts.ts';
import {
  costsOf,
  eventsOf,
  type ReportRows,
  skillUses,
  sumThumbs,
  tokensOf,
} from './skill-uses.ts';

interface ReportSources {
  database: Database;
  longReads: LongReads;
  contents: Contents;
  snapshot: SkillSnapshot;
  /** Retention of metrics in days. */
  days: number;
}

/** Aggregates the metrics of a date range, as far as they are retained. */
export async function skillReport(
  query: ReportQuery,
  { database, longReads, contents, snapshot, days }: ReportSources,
): Promise<SkillReport> {
  const range = resolveRange(query, Date.now());
  const rows = await longReads.read(
    reportQueries(database, { ...query, ...range }, offeringApps(snapshot, contents)),
  );
  const [oldest] = rows.oldest;
  const { all, weeks, apps, models, groups, searches, costs, thumbs } = rows;
  const used = new Set(rows.skillUses.map(({ skill }) => skill));
  return {
    days,
    ...(oldest ? { since: oldest.at } : {}),
    ...range,
    totals: {
      ...toUse(all[0]),
      conversationsOffered: rows.offered[0]?.conversations ?? 0,
      ...eventsOf(rows.skillEvents),
      searched: searches[0]?.searched ?? 0,
      foundNothing: searches[0]?.found_nothing ?? 0,
      costs: costsOf(costs),
    },
    weeks: fillWeeks(weeks),
    apps: apps.map(toNamedUse),
    groups: groups.map(toNamedUse),
    models: models.map(toNamedUse),
    skills: skillUses(rows, snapshot),
    thumbs: {
      withSkill: sumThumbs(thumbs.filter(({ with_skill }) => with_skill === 1)),
      withoutSkill: sumThumbs(thumbs.filter(({ with_skill }) => with_skill === 0)),
    },
    neverUsed: neverUsed(used, query, { snapshot, contents }),
  };
}

/** IDs of the apps that offer at least one enabled skill. */
function offeringApps(snapshot: SkillSnapshot, { apps, skills }: Contents): string[] {
  const on = skillEntries(snapshot)
    .filter((entry) => getSkillStatus(entry, skills) === 'on')
    .map(({ name }) => ({ name, global: getSkillSettings(name, skills)?.global === true }));
  return [...apps.values()].filter((app) => on.some(offerTest([app]))).map(({ id }) => id);
}

function toUse(row: ReportRows['all'][number] | undefined): Use {
  return {
    conversations: row?.conversations ?? 0,
    conversationsWithSkill: row?.conversations_with_skill ?? 0,
    answers: row?.answers ?? 0,
    answersWithSkill: row?.answers_with_skill ?? 0,
    ...tokensOf(row ?? { input_tokens: 0, cached_tokens: 0, output_tokens: 0 }),
  };
}

function toNamedUse(row: ReportRows['all'][number]): NamedUse {
  return { id: row.key, ...toUse(row) };
}

/** From the first to the last week with use, including empty weeks between. */
function fillWeeks(rows: ReportRows['weeks']): SkillReport['weeks'] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) {
    return [];
  }
  const known = new Map(rows.map((row) => [row.key, row]));
  return weeksBetween(first.key, last.key).map((week) => ({ week, ...toUse(known.get(week)) }));
}

/**
 * Enabled skills without any use that are offered in an app and to a group, optionally restricted to these.
 *
 * @param used names of the used skills
 */
function neverUsed(
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
