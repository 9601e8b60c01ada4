import type { ColumnType, Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';

export const skillTables: ModuleTables = {
  migrations: { '0063-skills': { up: createSkillTables } },
};

// Not part of backups, which contain the current skills as files.
declare module '../../platform/storage/schema.ts' {
  interface Schema {
    /** The history of skills. */
    skill_revisions: {
      skill: string;
      /** 1, 2, …; never reused. */
      number: number;
      at: string;
      /** Null for changes found on the disk. */
      user_id: string | null;
      user_name: string | null;
      action: string;
      /** For example, the path of the written file. */
      summary: string;
      /** Checksum of the whole folder; null for a deletion. The files are in `skill_states`. */
      checksum: string | null;
      files: number;
      bytes: number;
      /** JSON: for a deletion, the assignments of the skill; null for none. */
      assignments: string | null;
    };
    /** The files of a skill, as a zip in parts. A state with missing parts counts as missing. */
    skill_states: {
      skill: string;
      checksum: string;
      /** 0, 1, …, in the order of writing. */
      part: number;
      /** Number of parts of this state. */
      parts: number;
      /** The driver binds bytes and returns a buffer. */
      bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
    };
    /** Secret settings of skills, for their code. Not part of backups. */
    skill_secrets: {
      skill: string;
      name: string;
      /** Encrypted with the key of the installation. */
      sealed: string;
      updated_at: string;
    };
    /** Embeddings of skills. */
    skill_embeddings: {
      /** Digest of the embedder's configuration. */
      embedder: string;
      /** Digest of the embedded text. */
      checksum: string;
      /** A float32, and an int8 for each dimension. */
      vector: ColumnType<ArrayBuffer, Uint8Array, never>;
    };
  }
}

const statements = [
  `create table skill_revisions (
    skill text not null,
    number integer not null,
    at text not null,
    user_id text,
    user_name text,
    action text not null,
    summary text not null,
    checksum text,
    files integer not null,
    bytes integer not null,
    assignments text,
    constraint skill_revisions_key primary key (skill, number)
  )`,
  `create table skill_states (
    skill text not null,
    checksum text not null,
    part integer not null,
    parts integer not null,
    bytes blob not null,
    constraint skill_states_key primary key (skill, checksum, part)
  )`,
  `create table skill_secrets (
    skill text not null,
    name text not null,
    sealed text not null,
    updated_at text not null,
    constraint skill_secrets_key primary key (skill, name)
  )`,
  `create table skill_embeddings (
    embedder text not null,
    checksum text not null,
    vector blob not null,
    constraint skill_embeddings_key primary key (embedder, checksum)
  )`,
];

async function createSkillTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
