import { maxReasons, type Reason, type ReportQuery } from '@knowhow/shared/config/analytics';
import { sql } from 'kysely';
import type { LongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { resolveRange } from './date-range.ts';
import { type Selection, turns } from './query-facts.ts';

/** Separator for skill names, which cannot contain it. */
const separator = '\n';

/** Feedback comments on the answers of a report, newest first. */
export async function readReasons(
  query: ReportQuery,
  { database, longReads }: { database: Database; longReads: LongReads },
): Promise<{ items: Reason[]; total: number }> {
  const selection = { ...query, ...resolveRange(query, Date.now()) };
  const { counted, reasons } = await longReads.read({
    counted: selectGiven(database, selection)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .compile(),
    reasons: selectNewest(database, selection).compile(),
  });
  const items = reasons.map(({ skills, ...row }) => ({
    ...row,
    skills: skills.split(separator).filter((skill) => skill !== ''),
  }));
  return { items, total: counted[0]?.total ?? 0 };
}

function selectGiven(database: Database, selection: Selection) {
  return turns(database, selection)
    .innerJoin('feedback', 'feedback.message_id', 'turn_facts.message_id')
    .where('feedback.reason', 'is not', null);
}

function selectNewest(database: Database, selection: Selection) {
  return selectGiven(database, selection)
    .select([
      'feedback.updated_at as at',
      'feedback.value',
      sql<string>`feedback.reason`.as('reason'),
      'turn_facts.app',
      sql<string>`(
        select coalesce(string_agg(skill, ${separator}), '') from skill_facts
        where skill_facts.message_id = turn_facts.message_id and event = 'active'
      )`.as('skills'),
    ])
    .orderBy('feedback.updated_at', 'desc')
    .limit(maxReasons);
}
