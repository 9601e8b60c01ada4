import type { Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';

export const adminTables: ModuleTables = {
  migrations: { '0067-admin': { up: createAdminTables } },
};

// Not part of backups.
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
