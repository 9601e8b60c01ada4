import type { Kysely } from 'kysely';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import { runStatements } from '../../../platform/storage/run-statements.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { storedManifest } from '../versions/backup-columns.ts';

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
      /** Number of proposed changes of skills that were edited here. */
      edited: number;
      /** The commit of which an automatic sync has taken all that it may take. */
      settled: string | null;
    };
    /** Skills that were taken from sources. */
    skill_source_skills: {
      source: string;
      /** The name of the skill in the repository. */
      skill: string;
      /** Its folder in the repository. */
      path: string;
      /** The commit from which it was taken. */
      commit_id: string;
      /** Checksum of its files in that commit. */
      checksum: string;
      /** The id of the skill here; null if it is unknown. */
      skill_id: string | null;
      /** The base for a merge: the files in that commit, see `writeManifest`. Null if they are not stored. */
      manifest: string | null;
      /** For a detached skill, the address of the repository; else null. */
      url: string | null;
      /** When the skill was detached: syncs leave it alone. Null if it follows the source. */
      detached_at: string | null;
      /** Identifies its files in that commit without reading them, see `identifyTrees`. Null if it is unknown. */
      tree: string | null;
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

/** Adds the bases of merges, detached skills, and the changes that automatic syncs left. */
export async function addUpstreams(database: Kysely<never>): Promise<void> {
  await runStatements(database, [
    'alter table skill_source_states add column edited integer not null default 0',
    'alter table skill_source_states add column settled text',
    ...['skill_id', 'manifest', 'url', 'detached_at'].map(
      (column) => `alter table skill_source_skills add column ${column} text`,
    ),
    `update skill_source_skills set skill_id =
      (select id from skills where skills.name = skill_source_skills.skill)`,
    `update skill_source_skills set manifest =
      (select max(version.manifest) from skill_versions version
        where version.skill = skill_source_skills.skill_id
          and version.checksum = skill_source_skills.checksum)`,
  ]);
}

/** Adds what identifies the files of a skill, so that syncs do not read those that have not changed. */
export async function addTrees(database: Kysely<never>): Promise<void> {
  await runStatements(database, ['alter table skill_source_skills add column tree text']);
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
  edited: z.number().int().min(0).default(0),
  // A checksum has as many digits as the commit that stood here before.
  settled: commit.nullable().default(null),
}) satisfies z.ZodType<Schema['skill_source_states']>;

const skillRow = z.strictObject({
  source: id,
  skill: id,
  path: z.string().max(1024),
  commit_id: commit,
  checksum: z.string().max(100),
  skill_id: z.uuid().nullable().default(null),
  manifest: storedManifest.nullable().default(null),
  url: z.string().max(2000).nullable().default(null),
  detached_at: z.iso.datetime().nullable().default(null),
  tree: z.string().max(100).nullable().default(null),
}) satisfies z.ZodType<Schema['skill_source_skills']>;

export const sourceBackup = [
  backupTable('skill_source_states', { part: 'skill_versions', key: ['source'], row: stateRow }),
  backupTable('skill_source_skills', {
    part: 'skill_versions',
    key: ['source', 'skill'],
    row: skillRow,
  }),
];
