import type { ColumnType, Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';

export const insightTables: ModuleTables = {
  migrations: {
    '0066-insights': { up: createInsightTables },
    '0072-insights-versions': { up: addVersion },
  },
};

// Metrics of turns, skill events and traces, apart from the conversations themselves. Not part of
// backups.
declare module '../../platform/storage/schema.ts' {
  interface Schema {
    /** Metrics of a turn, without content or user. Outlives the conversation. */
    turn_facts: {
      /** Id of the answer. */
      message_id: string;
      conversation_id: string;
      /** Start of the turn. */
      at: string;
      /** Monday of its week, as `2026-05-04`. */
      week: string;
      app: string;
      model: string;
      /** JSON: ids of the caller's groups. */
      groups: string;
      /** Sum over all model requests of the turn. */
      input_tokens: number;
      /** Part of the input that came from the provider's cache. */
      cached_tokens: number;
      output_tokens: number;
      /** Null without configured prices. */
      cost: number | null;
      /** ISO 4217. */
      currency: string | null;
      ms: number;
      /** A finish reason, or `error`. */
      outcome: string;
      /** Number of active skills. */
      skills: number;
      /** Searches for skills, and those without a result. */
      searches: number;
      empty_searches: number;
    };
    /** Skill events in a turn. */
    skill_facts: {
      message_id: string;
      /** Empty for an unknown skill. */
      skill: string;
      event: 'activated' | 'active' | 'refused' | 'limited' | 'ended';
      /** The trigger for `activated`, the reason for `ended`; otherwise empty. */
      detail: string;
      times: number;
      /** Size of the instructions, for `activated`. */
      tokens: number;
      /**
       * Number of the version: the last one if a turn had several. Null if it is unknown, and for
       * `ended`.
       */
      version: number | null;
    };
    /** Traces: what the model saw for an answer. Not part of backups. */
    traces: {
      message_id: string;
      created_at: string;
      /** JSON, possibly gzipped. */
      bytes: ColumnType<ArrayBuffer, Uint8Array, Uint8Array>;
    };
    /** Parts that several traces share, by SHA-256. */
    trace_parts: {
      checksum: string;
      /** Approximately the last day on which a trace with this part was created. */
      used_at: string;
      bytes: ColumnType<ArrayBuffer, Uint8Array, Uint8Array>;
    };
  }
}

const statements = [
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
  `create table traces (
    message_id text primary key references messages (id) on delete cascade,
    created_at text not null,
    bytes blob not null
  )`,
  'create index traces_by_time on traces (created_at)',
  'create table trace_parts (checksum text primary key, used_at text not null, bytes blob not null)',
  'create index trace_parts_by_time on trace_parts (used_at)',
];

async function createInsightTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}

async function addVersion(database: Kysely<never>): Promise<void> {
  await runStatements(database, ['alter table skill_facts add column version integer']);
}
