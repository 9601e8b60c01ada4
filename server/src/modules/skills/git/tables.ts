import type { Kysely } from 'kysely';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import { runStatements } from '../../../platform/storage/run-statements.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** The result of the last sync of a source. */
    skill_source_states: {
      /** The id in `config/skill-sources.json`. */
      source: string;
      /** The commit that was seen last; null if no sync succeeded. */
      commit_id: string | null;
      synced_at: string;
      error: string | null;
      /** Number of proposed changes. */
      pending: number;
      /** Checksum of what the source selected of the commit; null if it is unknown. */
      selection: string | null;
    };
    /** Skills that were taken from sources. */
    skill_source_skills: {
      source: string;
      /** The name of the skill. */
      skill: string;
      /** Its folder in the repository. */
      path: string;
      /** The commit from which it was taken. */
      commit_id: string;
      /** Checksum of its files in that commit. */
      checksum: string;
    };
  }
}

const statements = [
  `create table skill_source_states (
    source text not null,
    commit_id text,
    synced_at text not null,
    error text,
    pending integer not null,
    constraint skill_source_states_key primary key (source)
  )`,
  `create table skill_source_skills (
    source text not null,
    skill text not null,
    path text not null,
    commit_id text not null,
    checksum text not null,
    constraint skill_source_skills_key primary key (source, skill)
  )`,
];

export async function createSourceTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}

/** Adds what was selected of the last commit, so that a change of the source is noticed. */
export async function addSelection(database: Kysely<never>): Promise<void> {
  await runStatements(database, ['alter table skill_source_states add column selection text']);
}

const id = z.string().min(1).max(300);
const commit = z.string().regex(/^[\da-f]{40,64}$/);

const stateRow = z.strictObject({
  source: id,
  commit_id: commit.nullable(),
  synced_at: z.iso.datetime(),
  error: z.string().max(10_000).nullable(),
  pending: z.number().int().min(0),
  selection: z.string().max(100).nullable().default(null),
}) satisfies z.ZodType<Schema['skill_source_states']>;

const skillRow = z.strictObject({
  source: id,
  skill: id,
  path: z.string().max(1024),
  commit_id: commit,
  checksum: z.string().max(100),
}) satisfies z.ZodType<Schema['skill_source_skills']>;

export const sourceBackup = [
  backupTable('skill_source_states', { part: 'skill_versions', key: ['source'], row: stateRow }),
  backupTable('skill_source_skills', {
    part: 'skill_versions',
    key: ['source', 'skill'],
    row: skillRow,
  }),
];
