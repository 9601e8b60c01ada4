import type { ColumnType, Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';
import { draftBackup } from './drafts/draft-backup.ts';
import {
  addOverrides,
  createCommentTable,
  createDraftTables,
  createDraftTestTables,
} from './drafts/tables.ts';
import { createFolderTables } from './folders/tables.ts';
import { createInboxTables, inboxBackup } from './inbox/tables.ts';
import { createMailTables, mailBackup } from './mail/tables.ts';
import { createPersonalTables, createShareTables, personalBackup } from './personal/tables.ts';
import {
  addSelection,
  addTrees,
  addUpstreams,
  createSourceTables,
  sourceBackup,
} from './sources/tables.ts';
import { addBin, addCategories, createVersionTables } from './versions/tables.ts';
import { versionBackup } from './versions/version-backup.ts';

export const skillTables: ModuleTables = {
  migrations: {
    '0063-skills': { up: createSkillTables },
    '0070-skills-versions': { up: createVersionTables },
    '0071-skills-drafts': { up: createDraftTables },
    '0074-skills-sources': { up: createSourceTables },
    '0075-skills-checks': { up: addOverrides },
    '0076-skills-selections': { up: addSelection },
    '0077-skills-inbox': { up: createInboxTables },
    '0078-skills-personal': { up: createPersonalTables },
    '0079-skills-shares': { up: createShareTables },
    '0080-skills-mail': { up: createMailTables },
    '0081-skills-bin': { up: addBin },
    '0083-skills-review-comments': { up: createCommentTable },
    '0084-skills-categories': { up: addCategories },
    '0086-skills-folders': { up: createFolderTables },
    '0087-skills-upstreams': { up: addUpstreams },
    '0089-skills-draft-tests': { up: createDraftTestTables },
    '0090-skills-trees': { up: addTrees },
  },
  backup: [
    ...versionBackup,
    ...draftBackup,
    ...personalBackup,
    ...sourceBackup,
    ...inboxBackup,
    ...mailBackup,
  ],
};

// Not part of backups: embeddings are computed again; secrets and edits of folders stay with the installation.
declare module '../../platform/storage/schema.ts' {
  interface Schema {
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
