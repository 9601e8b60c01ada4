import type { Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';

export const adminTables: ModuleTables = {
  migrations: {
    '0067-admin': { up: createAdminTables },
    '0085-admin-schedule': { up: createScheduleTables },
  },
};

declare module '../../platform/storage/schema.ts' {
  interface Schema {
    /** Recent results of models for the test prompts of each skill. Not part of backups. */
    trigger_runs: {
      /** Sorts by time. */
      id: string;
      skill: string;
      at: string;
      user_name: string;
      /** JSON: the summary in a list of runs. */
      head: string;
      /** JSON: the prompts and their results. */
      details: string;
    };
    /** Recent rounds of scheduled trigger tests. Not part of backups. */
    trigger_rounds: {
      /** Sorts by time. */
      id: string;
      kind: 'regular' | 'new-models';
      began_at: string;
      ended_at: string | null;
      /** JSON: ids of models. */
      models: string;
      tested: number;
      remaining: number;
      tokens: number;
      is_capped: number;
      /** Number of attempts in which a model did not answer. */
      failures: number;
      /** JSON: why, and when. */
      problem: string | null;
    };
    /** The last scheduled test of each skill with each model. Not part of backups. */
    trigger_round_skills: {
      skill: string;
      model: string;
      /** The id of the round. */
      round: string;
    };
  }
}

const statements = [
  `create table trigger_runs (
    id text primary key,
    skill text not null,
    at text not null,
    user_name text not null,
    head text not null,
    details text not null
  )`,
  'create index trigger_runs_by_skill on trigger_runs (skill, id)',
];

async function createAdminTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}

const scheduleStatements = [
  `create table trigger_rounds (
    id text not null,
    kind text not null,
    began_at text not null,
    ended_at text,
    models text not null,
    tested integer not null,
    remaining integer not null,
    tokens integer not null,
    is_capped integer not null,
    failures integer not null,
    problem text,
    constraint trigger_rounds_key primary key (id)
  )`,
  `create table trigger_round_skills (
    skill text not null,
    model text not null,
    round text not null,
    constraint trigger_round_skills_key primary key (skill, model)
  )`,
];

async function createScheduleTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, scheduleStatements);
}
