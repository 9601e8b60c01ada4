import { type Kysely, sql } from 'kysely';

const statements = [
  `create table feedback (
    message_id text primary key references messages (id) on delete cascade,
    conversation_id text not null references conversations (id) on delete cascade,
    value text not null,
    reason text,
    updated_at text not null
  )`,
  'create index feedback_by_conversation on feedback (conversation_id)',
  `create table turn_facts (
    message_id text primary key,
    conversation_id text not null,
    at text not null,
    week text not null,
    app text not null,
    model text not null,
    groups text not null,
    input_tokens integer not null,
    cached_tokens integer not null,
    output_tokens integer not null,
    cost real,
    currency text,
    ms integer not null,
    outcome text not null,
    skills integer not null,
    searches integer not null,
    empty_searches integer not null
  )`,
  'create index turn_facts_by_time on turn_facts (at)',
  'create index turn_facts_by_conversation on turn_facts (conversation_id, at)',
  `create table skill_facts (
    message_id text not null references turn_facts (message_id) on delete cascade,
    skill text not null,
    event text not null,
    detail text not null,
    times integer not null,
    tokens integer not null,
    primary key (message_id, skill, event, detail)
  )`,
];

/**
 * Tables for feedback and usage analytics. They start empty: what was available to whom in earlier
 * turns is not stored.
 */
export async function createAnalytics(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
