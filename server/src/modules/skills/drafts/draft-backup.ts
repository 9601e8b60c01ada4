import { reviewStates } from '@knowhow/shared/skills/skill-reviews';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { hexDigest, storedCategory, storedManifest } from '../versions/backup-columns.ts';
import { parseAuthors } from './authors.ts';

const name = z.string().max(300);

const snapshot = {
  skill: z.uuid(),
  base: z.number().int().min(1).nullable(),
  manifest: storedManifest,
  digest: hexDigest,
  checksum: hexDigest,
  files: z.number().int().min(0),
  bytes: z.number().int().min(0),
  authors: z.string().refine((written) => parseAuthors(written) !== undefined, 'Not authors.'),
  created_at: z.iso.datetime(),
  category: storedCategory,
};

const draftRow = z.strictObject({
  ...snapshot,
  etag: z.uuid(),
  updated_at: z.iso.datetime(),
  updated_by: name,
}) satisfies z.ZodType<Schema['skill_drafts']>;

const reviewRow = z.strictObject({
  ...snapshot,
  id: z.uuid(),
  state: z.enum(reviewStates),
  message: z.string().max(10_000),
  author_id: name,
  author_name: name,
  comment: z.string().max(10_000).nullable(),
  decided_at: z.iso.datetime().nullable(),
  decided_by: name.nullable(),
  version: z.number().int().min(1).nullable(),
}) satisfies z.ZodType<Schema['skill_reviews']>;

const commentRow = z.strictObject({
  id: z.uuid(),
  review: z.uuid(),
  author_id: name,
  author_name: name,
  text: z.string().max(10_000),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<Schema['skill_review_comments']>;

/** Drafts and reviews in a backup. They are restored with the versions, which they refer to. */
export const draftBackup = [
  backupTable('skill_drafts', {
    part: 'skill_versions',
    key: ['skill'],
    unique: ['skill'],
    row: draftRow,
  }),
  backupTable('skill_reviews', {
    part: 'skill_versions',
    key: ['id'],
    unique: ['id'],
    row: reviewRow,
  }),
  backupTable('skill_review_comments', {
    part: 'skill_versions',
    key: ['id'],
    unique: ['id'],
    row: commentRow,
  }),
];
