import {
  maxNamedUses,
  maxSkillsReported,
  type ReportQuery,
} from '@knowhow/shared/config/analytics';
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { DateRange } from './date-range.ts';
import { dayAfter } from './date-range.ts';

/** Filter of the turns in a report. */
export type Selection = DateRange & Pick<ReportQuery, 'app' | 'group' | 'model'>;

/** Queries of a report; run them in one snapshot. */
export function reportQueries(
  database: Database,
  selection: Selection,
  offeringApps: readonly string[],
) {
  const usesBy = (dimension: 'app' | 'model') =>
    uses(database, selection, dimension).orderBy('answers', 'desc').limit(maxNamedUses).compile();
  return {
    oldest: database.selectFrom('turn_facts').select('at').orderBy('at').limit(1).compile(),
    all: uses(database, selection).compile(),
    offered: offered(database, selection, offeringApps).compile(),
    weeks: uses(database, selection, 'week').orderBy('key').compile(),
    apps: usesBy('app'),
    models: usesBy('model'),
    groups: usesByGroup(database, selection).compile(),
    searches: searches(database, selection).compile(),
    costs: costs(database, selection).compile(),
    thumbs: thumbs(database, selection).compile(),
    skillUses: skillUses(database, selection).compile(),
    skillEvents: skillEvents(database, selection).compile(),
    skillCosts: skillCosts(database, selection).compile(),
    skillThumbs: skillThumbs(database, selection).compile(),
  };
}

/** Queries about the versions of one skill; run them in one snapshot. */
export function versionQueries(database: Database, selection: Selection, skill: string) {
  const facts = skillTurns(database, selection).where('skill', '=', skill);
  const active = facts.where('event', '=', 'active');
  return {
    uses: active
      .select(({ fn }) => ['version', fn.countAll<number>().as('answers')])
      .groupBy('version')
      .compile(),
    events: facts
      .where('event', 'in', ['activated', 'refused', 'limited'])
      .select(({ fn }) => ['version', 'event', fn.sum<number>('times').as('times')])
      .groupBy(['version', 'event'])
      .compile(),
    costs: active
      .where('currency', 'is not', null)
      .select(({ fn }) => ['version', 'currency', fn.sum<number>('cost').as('amount')])
      .groupBy(['version', 'currency'])
      .orderBy('currency')
      .compile(),
    thumbs: active
      .innerJoin('feedback', 'feedback.message_id', 'turn_facts.message_id')
      .select(({ fn }) => ['version', 'feedback.value', fn.countAll<number>().as('times')])
      .groupBy(['version', 'feedback.value'])
      .compile(),
  };
}

/** Selects the turns of a report. */
export function turns(database: Database, { from, to, app, model, group }: Selection) {
  let selected = database
    .selectFrom('turn_facts')
    .where('turn_facts.at', '>=', from)
    .where('turn_facts.at', '<', dayAfter(to));
  if (app !== undefined) {
    selected = selected.where('turn_facts.app', '=', app);
  }
  if (model !== undefined) {
    selected = selected.where('turn_facts.model', '=', model);
  }
  if (group !== undefined) {
    selected = selected.where(belongsToGroup(group));
  }
  return selected;
}

function belongsToGroup(group: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from json_each(turn_facts.groups) as held where held.value = ${group}
  )`;
}

/** Sums are coalesced, because SQL yields null for an empty set. */
function measures({ fn, val }: ExpressionBuilder<Pick<Schema, 'turn_facts'>, 'turn_facts'>) {
  const sum = (column: 'input_tokens' | 'cached_tokens' | 'output_tokens') =>
    fn.coalesce(fn.sum<number>(`turn_facts.${column}`), val(0)).as(column);
  const withSkill = (what: RawBuilder<unknown>) =>
    sql<number>`count(distinct case when turn_facts.skills > 0 then ${what} end)`;
  return [
    fn.count<number>('turn_facts.conversation_id').distinct().as('conversations'),
    withSkill(sql.ref('turn_facts.conversation_id')).as('conversations_with_skill'),
    fn.countAll<number>().as('answers'),
    sql<number>`count(case when turn_facts.skills > 0 then 1 end)`.as('answers_with_skill'),
    sum('input_tokens'),
    sum('cached_tokens'),
    sum('output_tokens'),
  ] as const;
}

type Dimension = 'week' | 'app' | 'model';

function uses(database: Database, selection: Selection, by?: Dimension) {
  const key = by ? sql<string>`${sql.ref(`turn_facts.${by}`)}` : sql<string>`''`;
  return turns(database, selection)
    .select((eb) => [key.as('key'), ...measures(eb)])
    .$if(by !== undefined, (query) => query.groupBy('key'));
}

function usesByGroup(database: Database, selection: Selection) {
  return turns(database, selection)
    .innerJoin(sql<{ value: string }>`json_each(turn_facts.groups)`.as('held'), (join) =>
      join.onTrue(),
    )
    .select((eb) => ['held.value as key', ...measures(eb)])
    .groupBy('held.value')
    .orderBy('answers', 'desc')
    .limit(maxNamedUses);
}

/** Conversations in which a skill could have been active: the app offers one, or one was active. */
function offered(database: Database, selection: Selection, apps: readonly string[]) {
  return turns(database, selection)
    .where(({ eb, or }) => or([eb('skills', '>', 0), eb('app', 'in', inList(apps))]))
    .select(({ fn }) => fn.count<number>('conversation_id').distinct().as('conversations'));
}

function searches(database: Database, selection: Selection) {
  return turns(database, selection).select([
    sql<number>`count(case when searches > 0 then 1 end)`.as('searched'),
    sql<number>`count(case when empty_searches > 0 then 1 end)`.as('found_nothing'),
  ]);
}

function costs(database: Database, selection: Selection) {
  return turns(database, selection)
    .where('currency', 'is not', null)
    .select(({ fn }) => ['currency', fn.sum<number>('cost').as('amount')])
    .groupBy('currency')
    .orderBy('currency');
}

function skillTurns(database: Database, selection: Selection) {
  return turns(database, selection).innerJoin(
    'skill_facts',
    'skill_facts.message_id',
    'turn_facts.message_id',
  );
}

function skillUses(database: Database, selection: Selection) {
  return skillTurns(database, selection)
    .where('event', '=', 'active')
    .select(({ fn }) => [
      'skill',
      fn.count<number>('conversation_id').distinct().as('conversations'),
      fn.countAll<number>().as('answers'),
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('cached_tokens').as('cached_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
    ])
    .groupBy('skill')
    .orderBy('answers', 'desc')
    .orderBy('skill')
    .limit(maxSkillsReported);
}

/** Event counts per skill; there are only a few kinds. */
function skillEvents(database: Database, selection: Selection) {
  return skillTurns(database, selection)
    .where('event', '<>', 'active')
    .select(({ fn }) => [
      'skill',
      'event',
      'detail',
      fn.sum<number>('times').as('times'),
      fn.sum<number>('skill_facts.tokens').as('tokens'),
    ])
    .groupBy(['skill', 'event', 'detail'])
    .orderBy('times', 'desc')
    .limit(5 * maxSkillsReported);
}

function skillCosts(database: Database, selection: Selection) {
  return skillTurns(database, selection)
    .where('event', '=', 'active')
    .where('currency', 'is not', null)
    .select(({ fn }) => ['skill', 'currency', fn.sum<number>('cost').as('amount')])
    .groupBy(['skill', 'currency'])
    .orderBy('currency')
    .limit(2 * maxSkillsReported);
}

function thumbs(database: Database, selection: Selection) {
  return turns(database, selection)
    .innerJoin('feedback', 'feedback.message_id', 'turn_facts.message_id')
    .select(({ fn }) => [
      sql<number>`turn_facts.skills > 0`.as('with_skill'),
      'feedback.value',
      fn.countAll<number>().as('times'),
    ])
    .groupBy(['with_skill', 'feedback.value']);
}

function skillThumbs(database: Database, selection: Selection) {
  return skillTurns(database, selection)
    .innerJoin('feedback', 'feedback.message_id', 'turn_facts.message_id')
    .where('event', '=', 'active')
    .select(({ fn }) => ['skill', 'feedback.value', fn.countAll<number>().as('times')])
    .groupBy(['skill', 'feedback.value'])
    .limit(2 * maxSkillsReported);
}
