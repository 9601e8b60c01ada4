import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import { runStatements } from '../../../platform/storage/run-statements.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { hexDigest, storedManifest } from '../versions/backup-columns.ts';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** Skills of single users. */
    personal_skills: {
      /** A UUID, by which it uses blobs. */
      id: string;
      /** Such as `invoices@anna`; see `personalSkillId`. */
      name: string;
      /** The id of the user. */
      owner: string;
      /** JSON, see `writeManifest`. */
      manifest: string;
      /** Hex; with executable bits. */
      checksum: string;
      created_at: string;
      updated_at: string;
      /** The review of its last proposal. */
      review: string | null;
    };
    /** Users and groups that personal skills are shared with. */
    personal_skill_shares: {
      /** The id of the row in `personal_skills`. */
      skill: string;
      /** See `recipientKey`. */
      recipient: string;
    };
  }
}

const statements = [
  `create table personal_skills (
    id text not null,
    name text not null,
    owner text not null,
    manifest text not null,
    checksum text not null,
    created_at text not null,
    updated_at text not null,
    review text,
    constraint personal_skills_key primary key (id),
    constraint personal_skills_name unique (name)
  )`,
  'create index personal_skills_owner on personal_skills (owner, name)',
];

export async function createPersonalTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}

const shareStatements = [
  `create table personal_skill_shares (
    skill text not null,
    recipient text not null,
    constraint personal_skill_shares_key primary key (skill, recipient)
  )`,
  'create index personal_skill_shares_recipient on personal_skill_shares (recipient)',
];

export async function createShareTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, shareStatements);
}

/** Personal skills in a backup. They are restored with the versions, which share their contents. */
export const personalBackup = [
  backupTable('personal_skills', {
    part: 'skill_versions',
    key: ['id'],
    unique: ['id', 'name'],
    row: z.strictObject({
      id: z.uuid(),
      name: z.string().min(1).max(300).refine(isPersonalSkillId, 'Not the id of a personal skill.'),
      owner: z.string().min(1).max(300),
      manifest: storedManifest,
      checksum: hexDigest,
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
      review: z.uuid().nullable(),
    }) satisfies z.ZodType<Schema['personal_skills']>,
  }),
  backupTable('personal_skill_shares', {
    part: 'skill_versions',
    key: ['skill', 'recipient'],
    row: z.strictObject({
      skill: z.uuid(),
      recipient: z
        .string()
        .regex(/^(?:user|group):/)
        .max(310),
    }) satisfies z.ZodType<Schema['personal_skill_shares']>,
  }),
];
