import type { Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';

export const modelTables: ModuleTables = {
  migrations: { '0062-models': { up: createModelTables } },
};

// Not part of backups.
declare module '../../platform/storage/schema.ts' {
  interface Schema {
    /** Keys of model providers. */
    provider_keys: {
      /** Named like the environment variable: `OPENAI_API_KEY`. */
      variable: string;
      /** The encrypted key. */
      sealed: string;
      /** Name of the user who entered it. */
      updated_by: string;
      updated_at: string;
    };
  }
}

const statements = [
  `create table provider_keys (
    variable text primary key,
    sealed text not null,
    updated_by text not null,
    updated_at text not null
  )`,
];

async function createModelTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
