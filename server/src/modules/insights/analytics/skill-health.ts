import type { Thumbs } from '@knowhow/shared/config/analytics';
import { earlierThumbsDays, recentThumbsDays } from '@knowhow/shared/skills/skill-attention';
import { sql } from 'kysely';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import type { LongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { SkillHealth } from '../../admin/index.ts';

export async function readSkillHealth({
  database,
  longReads,
}: {
  database: Database;
  longReads: LongReads;
}): Promise<SkillHealth> {
  const rows = await longReads.read({
    oldest: database.selectFrom('turn_facts').select('at').orderBy('at').limit(1).compile(),
    thumbs: queryThumbs(database).compile(),
    created: queryCreated(database).compile(),
  });
  const thumbs = new Map<string, { recent: Thumbs; earlier: Thumbs }>();
  for (const { skill, value, recent, earlier } of rows.thumbs) {
    const known = thumbs.get(skill) ?? { recent: { up: 0, down: 0 }, earlier: { up: 0, down: 0 } };
    known.recent[value] = recent;
    known.earlier[value] = earlier;
    thumbs.set(skill, known);
  }
  return {
    since: rows.oldest[0]?.at,
    thumbs,
    createdAt: new Map(rows.created.map(({ name, at }) => [name, at])),
  };
}

function queryThumbs(database: Database) {
  const recent = new Date(daysAgo(recentThumbsDays)).toISOString();
  const earlier = new Date(daysAgo(recentThumbsDays + earlierThumbsDays)).toISOString();
  return database
    .selectFrom('turn_facts')
    .innerJoin('feedback', 'feedback.message_id', 'turn_facts.message_id')
    .innerJoin('skill_facts', 'skill_facts.message_id', 'turn_facts.message_id')
    .where('turn_facts.at', '>=', earlier)
    .where('skill_facts.event', '=', 'active')
    .select([
      'skill_facts.skill',
      'feedback.value',
      sql<number>`count(case when turn_facts.at >= ${recent} then 1 end)`.as('recent'),
      sql<number>`count(case when turn_facts.at < ${recent} then 1 end)`.as('earlier'),
    ])
    .groupBy(['skill_facts.skill', 'feedback.value']);
}

function queryCreated(database: Database) {
  return database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .where('version.number', '>', (query) =>
      query
        .selectFrom('skill_versions as deletion')
        .whereRef('deletion.skill', '=', 'version.skill')
        .where('deletion.digest', 'is', null)
        .select(({ fn, val }) => fn.coalesce(fn.max('deletion.number'), val(0)).as('number')),
    )
    .select(({ fn }) => ['skills.name', fn.min('version.created_at').as('at')])
    .groupBy('skills.name');
}
