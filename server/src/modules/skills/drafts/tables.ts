import type { Kysely } from 'kysely';
import { runStatements } from '../../../platform/storage/run-statements.ts';

/** Files that are not published, stored like those of a version. */
export interface SnapshotColumns {
  /** The id of the skill. */
  skill: string;
  /** Number of the version that it changes; null for a new skill. */
  base: number | null;
  /** JSON, see `writeManifest`. */
  manifest: string;
  /** Hex; see `getContentDigest`. */
  digest: string;
  /** Hex; with executable bits. */
  checksum: string;
  files: number;
  bytes: number;
  /** JSON: ids and display names of everyone who changed it. */
  authors: string;
  created_at: string;
  /** The one in `SKILL.md`, empty for none. */
  category: string | null;
}

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** Open drafts, at most one for each skill. */
    skill_drafts: SnapshotColumns & {
      /** A UUID that changes with each save. */
      etag: string;
      updated_at: string;
      updated_by: string;
    };
    /** Submitted drafts, at most one open for each skill. */
    skill_reviews: SnapshotColumns & {
      id: string;
      state: string;
      message: string;
      /** The user who submitted it. */
      author_id: string;
      author_name: string;
      /** The comment of the decision. */
      comment: string | null;
      decided_at: string | null;
      decided_by: string | null;
      /** Number of the version that an approval has published. */
      version: number | null;
    };
    /** Comments of reviewers and authors on reviews. */
    skill_review_comments: {
      id: string;
      /** The id of the review. */
      review: string;
      author_id: string;
      author_name: string;
      text: string;
      created_at: string;
    };
    /** Comments that people have marked as read in their inbox. Not part of backups. */
    skill_comment_reads: {
      user_id: string;
      /** The id of the comment. */
      comment: string;
    };
    /** Recent trigger tests of drafts. Not part of backups. */
    draft_trigger_runs: {
      /** Sorts by time. */
      id: string;
      /** The id of the skill. */
      skill: string;
      /** Checksum of the draft's files. */
      checksum: string;
      /** Digest of the published `SKILL.md`. */
      main: string | null;
      at: string;
      user_name: string;
      /** JSON: the summary by model. */
      head: string;
      /** JSON: the prompts and their results. */
      details: string;
    };
  }
}

const snapshotColumns = `skill text not null,
    base integer,
    manifest text not null,
    digest text not null,
    checksum text not null,
    files integer not null,
    bytes integer not null,
    authors text not null,
    created_at text not null`;

const statements = [
  `create table skill_drafts (
    ${snapshotColumns},
    etag text not null,
    updated_at text not null,
    updated_by text not null,
    constraint skill_drafts_key primary key (skill)
  )`,
  `create table skill_reviews (
    id text not null,
    ${snapshotColumns},
    state text not null,
    message text not null,
    author_id text not null,
    author_name text not null,
    comment text,
    decided_at text,
    decided_by text,
    version integer,
    constraint skill_reviews_key primary key (id)
  )`,
  'create index skill_reviews_skill on skill_reviews (skill)',
  'create index skill_reviews_created on skill_reviews (created_at)',
  "create unique index skill_reviews_open on skill_reviews (skill) where state = 'open'",
  'alter table skill_versions add column reviewed_by text',
];

/** Adds what overrides failed checks. */
export async function addOverrides(database: Kysely<never>): Promise<void> {
  await runStatements(database, ['alter table skill_versions add column override text']);
}

/** Creates the table of comments on reviews. */
export async function createCommentTable(database: Kysely<never>): Promise<void> {
  await runStatements(database, [
    `create table skill_review_comments (
      id text not null,
      review text not null,
      author_id text not null,
      author_name text not null,
      text text not null,
      created_at text not null,
      constraint skill_review_comments_key primary key (id)
    )`,
    'create index skill_review_comments_review on skill_review_comments (review, created_at)',
  ]);
}

/** Creates the tables of trigger tests of drafts, and of comments that were read. */
export async function createDraftTestTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, [
    `create table draft_trigger_runs (
      id text not null,
      skill text not null references skills (id) on delete cascade,
      checksum text not null,
      main text,
      at text not null,
      user_name text not null,
      head text not null,
      details text not null,
      constraint draft_trigger_runs_key primary key (id)
    )`,
    'create index draft_trigger_runs_by_skill on draft_trigger_runs (skill, id)',
    `create table skill_comment_reads (
      user_id text not null references users (id) on delete cascade,
      comment text not null references skill_review_comments (id) on delete cascade,
      constraint skill_comment_reads_key primary key (user_id, comment)
    )`,
    'create index skill_review_comments_created on skill_review_comments (created_at)',
  ]);
}

/** Creates the tables of drafts and reviews. */
export async function createDraftTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
