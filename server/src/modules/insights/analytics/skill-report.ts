import { activationVia, endReasons } from '@knowhow/shared/chat/chat';
import {
  type Costs,
  maxNeverUsed,
  type NamedUse,
  type ReportQuery,
  type SkillReport,
  type SkillUse,
  type Thumbs,
  type Use,
} from '@knowhow/shared/config/analytics';
import type { LongReads, RowsOf } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { getSkillStatus, skillEntries, skillReach } from '../../admin/index.ts';
import type { Contents } from '../../content/index.ts';
import { getSkillSettings, offerTest, type SkillSnapshot } from '../../skills/index.ts';
import { resolveRange, weeksBetween } from './date-range.ts';
import { reportQueries } from './query-facts.ts';

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
  const getReach = skillReach(contents, snapshot);
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

type ReportRows = RowsOf<ReturnType<typeof reportQueries>>;
type Events = ReportRows['skillEvents'];

/** Usage of each skill, most used first, followed by those that were only requested. */
function skillUses(
  rows: Pick<ReportRows, 'skillUses' | 'skillEvents' | 'skillCosts' | 'skillThumbs'>,
  snapshot: SkillSnapshot,
): SkillUse[] {
  const skills = new Map<string, SkillUse>();
  const getUse = (name: string): SkillUse => {
    const known = skills.get(name) ?? createUse(name, snapshot.skills.has(name));
    skills.set(name, known);
    return known;
  };
  for (const row of rows.skillUses) {
    const { skill, conversations, answers } = row;
    Object.assign(getUse(skill), { conversations, answers, ...tokensOf(row) });
  }
  for (const event of rows.skillEvents.filter(({ skill }) => skill !== '')) {
    addEvent(getUse(event.skill), event);
  }
  for (const { skill, ...cost } of rows.skillCosts) {
    getUse(skill).costs.push(...costsOf([cost]));
  }
  for (const { skill, ...thumb } of rows.skillThumbs) {
    getUse(skill).thumbs[thumb.value] += thumb.times;
  }
  return [...skills.values()];
}

/** Event totals of all skills. */
function eventsOf(events: Events): Pick<SkillUse, 'activations' | 'refused' | 'limited'> {
  const all = createUse('', false);
  for (const event of events) {
    addEvent(all, event);
  }
  const { activations, refused, limited } = all;
  return { activations, refused, limited };
}

function sumThumbs(rows: readonly { value: 'up' | 'down'; times: number }[]): Thumbs {
  const thumbs = { up: 0, down: 0 };
  for (const { value, times } of rows) {
    thumbs[value] += times;
  }
  return thumbs;
}

function costsOf(rows: readonly { currency: string | null; amount: number | null }[]): Costs {
  return rows.map(({ currency, amount }) => ({ currency: currency ?? '', amount: amount ?? 0 }));
}

function tokensOf(row: {
  input_tokens: number | null;
  cached_tokens: number | null;
  output_tokens: number | null;
}): Pick<SkillUse, 'inputTokens' | 'cachedTokens' | 'outputTokens'> {
  return {
    inputTokens: row.input_tokens ?? 0,
    cachedTokens: row.cached_tokens ?? 0,
    outputTokens: row.output_tokens ?? 0,
  };
}

function createUse(name: string, exists: boolean): SkillUse {
  return {
    name,
    exists,
    conversations: 0,
    answers: 0,
    activations: zeroCounts(activationVia),
    ended: zeroCounts(endReasons),
    refused: 0,
    limited: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    costs: [],
    instructionTokens: 0,
    thumbs: { up: 0, down: 0 },
  };
}

function zeroCounts<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
}

function addEvent(use: SkillUse, { event, detail, times, tokens }: Events[number]): void {
  switch (event) {
    case 'activated':
      use.instructionTokens += tokens;
      increment(use.activations, detail, times);
      return;
    case 'ended':
      increment(use.ended, detail, times);
      return;
    case 'refused':
    case 'limited':
      use[event] += times;
      return;
    case 'active':
  }
}

/** Rows of another version may have keys that this one does not know. */
function increment(counts: Record<string, number>, key: string, times: number): void {
  if (Object.hasOwn(counts, key)) {
    counts[key] = (counts[key] ?? 0) + times;
  }
}
