import type { ColumnType, Kysely } from 'kysely';
import { runStatements } from '../../../platform/storage/run-statements.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { fillCategories } from './fill-categories.ts';
import { migrateRevisions } from './migrate-revisions.ts';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** Skills that have versions, an owner or items in the inbox, including deleted ones. */
    skills: {
      /** A UUID that survives renaming. */
      id: string;
      /** The name of its folder, as a slug. */
      name: string;
      /** `user` or `group`; null for none, like the id. It may have been deleted since. */
      owner_kind: string | null;
      owner_id: string | null;
      /** ISO 8601: when its time in the bin began; null if it is not deleted, or was just deleted. */
      binned_at: string | null;
    };
    skill_versions: {
      /** The id of the skill. */
      skill: string;
      /** 1, 2, …; never reused. */
      number: number;
      /** Hex; see `getContentDigest`. Null for a deletion. */
      digest: string | null;
      /** For `If-Match`, with executable bits. Null for a deletion. */
      checksum: string | null;
      /** JSON, see `writeManifest`. Null for a deletion, and for content that is not stored. */
      manifest: string | null;
      files: number;
      bytes: number;
      /** Null for changes found in the file system. */
      user_id: string | null;
      user_name: string | null;
      /** Empty if the author wrote none. */
      message: string;
      action: string;
      /** For example, the path of the written file. */
      summary: string;
      origin: string;
      origin_detail: string | null;
      created_at: string;
      /** JSON: for a deletion, the assignments of the skill; null for none. */
      assignments: string | null;
      /** Display name of the administrator who approved it; null without a review. */
      reviewed_by: string | null;
      /** JSON: the failed checks that they have overridden, and why; null for none. */
      override: string | null;
      /** The one in `SKILL.md`, empty for none. Null for a deletion, and for content that is not stored. */
      category: string | null;
    };
    /**
     * Contents of files, in parts of at most one mebibyte. A blob with missing parts counts as
     * missing.
     */
    skill_blobs: {
      /** SHA-256, base64url. */
      digest: string;
      /** 0, 1, … */
      part: number;
      /** Number of parts of this blob. */
      parts: number;
      /** The driver binds bytes and returns a buffer. */
      bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
    };
    /** Which skills have a version with the blob. A blob that none has is deleted. */
    skill_blob_uses: {
      digest: string;
      skill: string;
    };
  }
}

const statements = [
  `create table skills (
    id text not null,
    name text not null,
    constraint skills_key primary key (id),
    constraint skills_name unique (name)
  )`,
  `create table skill_versions (
    skill text not null,
    number integer not null,
    digest text,
    checksum text,
    manifest text,
    files integer not null,
    bytes integer not null,
    user_id text,
    user_name text,
    message text not null,
    action text not null,
    summary text not null,
    origin text not null,
    origin_detail text,
    created_at text not null,
    assignments text,
    constraint skill_versions_key primary key (skill, number)
  )`,
  'create index skill_versions_checksum on skill_versions (checksum)',
  `create table skill_blobs (
    digest text not null,
    part integer not null,
    parts integer not null,
    bytes blob not null,
    constraint skill_blobs_key primary key (digest, part)
  )`,
  `create table skill_blob_uses (
    digest text not null,
    skill text not null,
    constraint skill_blob_uses_key primary key (digest, skill)
  )`,
  'create index skill_blob_uses_skill on skill_blob_uses (skill)',
];

/** Creates the tables of versions, fills them from the revisions of earlier releases, and drops those. */
export async function createVersionTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
  await migrateRevisions(database);
  await runStatements(database, ['drop table skill_revisions', 'drop table skill_states']);
}

/** Adds the time in the bin. Skills that are deleted already begin it now, not when they were deleted. */
export async function addBin(database: Kysely<never>): Promise<void> {
  await runStatements(database, [
    'alter table skills add column binned_at text',
    'create index skill_versions_deleted on skill_versions (skill, number) where checksum is null',
  ]);
}

/** Adds the category of versions, drafts and reviews, which decides about rights on them. */
export async function addCategories(database: Kysely<never>): Promise<void> {
  await runStatements(
    database,
    ['skill_versions', 'skill_drafts', 'skill_reviews'].map(
      (table) => `alter table ${table} add column category text`,
    ),
  );
  await fillCategories(database as unknown as Kysely<Schema>);
}
