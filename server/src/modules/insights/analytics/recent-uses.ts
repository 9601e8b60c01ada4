import { maxSkillsReported } from '@knowhow/shared/config/analytics';
import { type SkillUsage, usageDays } from '@knowhow/shared/skills/admin-skill';
import { sql } from 'kysely';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import type { LongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';

/** Recent usage of every skill that was ever used, by name. */
export type SkillUsages = ReadonlyMap<string, SkillUsage>;

interface Sources {
  database: Database;
  longReads: LongReads;
  /** Stores queued metrics. */
  flush: () => Promise<void>;
}

/** Counts the uses of all skills. */
export async function readRecentUses({
  database,
  longReads,
  flush,
}: Sources): Promise<SkillUsages> {
  await flush();
  const { uses } = await longReads.read({ uses: queryUses(database).compile() });
  return new Map(uses.map(({ skill, times, last }) => [skill, { uses: times, lastUsedAt: last }]));
}

function queryUses(database: Database) {
  const since = new Date(daysAgo(usageDays)).toISOString();
  return database
    .selectFrom('skill_facts')
    .innerJoin('turn_facts', 'turn_facts.message_id', 'skill_facts.message_id')
    .where('event', '=', 'active')
    .select(({ fn }) => [
      'skill',
      sql<number>`count(case when turn_facts.at >= ${since} then 1 end)`.as('times'),
      fn.max('turn_facts.at').as('last'),
    ])
    .groupBy('skill')
    .orderBy('last', 'desc')
    .limit(maxSkillsReported);
}
