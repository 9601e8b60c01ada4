import { ownerKinds } from '@knowhow/shared/skills/skill-owners';
import { versionOrigins } from '@knowhow/shared/skills/skill-versions';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { hexDigest, storedCategory, storedJson, storedManifest } from './backup-columns.ts';
import { readManifest } from './manifest.ts';
import { parseOverride } from './parse-override.ts';

const blobDigest = z.string().regex(/^[\w-]{43}$/);

const skillRow = z.strictObject({
  id: z.uuid(),
  name: z.string().min(1).max(300),
  // Added with owners.
  owner_kind: z.enum(ownerKinds).nullable().default(null),
  owner_id: z.string().max(300).nullable().default(null),
  // A restored skill begins its time in the bin again: it may have been restored to get that skill.
  binned_at: z
    .unknown()
    .transform(() => null)
    .default(null),
}) satisfies z.ZodType<Schema['skills']>;

const versionRow = z.strictObject({
  skill: z.uuid(),
  number: z.number().int().min(1),
  digest: hexDigest.nullable(),
  checksum: hexDigest.nullable(),
  manifest: storedManifest.nullable(),
  files: z.number().int().min(0),
  bytes: z.number().int().min(0),
  user_id: z.string().max(300).nullable(),
  user_name: z.string().max(300).nullable(),
  message: z.string().max(10_000),
  action: z.string().max(100),
  summary: z.string().max(10_000),
  origin: z.enum(versionOrigins),
  origin_detail: z.string().max(10_000).nullable(),
  created_at: z.iso.datetime(),
  assignments: storedJson.nullable(),
  // Added with reviews.
  reviewed_by: z.string().max(300).nullable().default(null),
  // Added with checks.
  override: z
    .string()
    .refine((written) => parseOverride(written) !== undefined, 'Not an override.')
    .nullable()
    .default(null),
  category: storedCategory,
}) satisfies z.ZodType<Schema['skill_versions']>;

/** A part of a blob, encoded as base64 in a backup. */
const blobRow = z.strictObject({
  digest: blobDigest,
  part: z.number().int().min(0),
  parts: z.number().int().min(1),
  bytes: z.base64().transform((written) => Buffer.from(written, 'base64')),
}) as unknown as z.ZodType<Schema['skill_blobs']>;

const blobUseRow = z.strictObject({
  digest: blobDigest,
  skill: z.uuid(),
}) satisfies z.ZodType<Schema['skill_blob_uses']>;

/** Maximum bytes of blobs in a backup; the newest versions take precedence. Fits the limit for unpacking. */
const maxBytes = 512 * 1024 * 1024;

/** Yields blobs as JSON lines, one part each. */
async function* exportBlobs(database: Database): AsyncGenerator<string> {
  for (const digest of await selectBlobs(database)) {
    for (let part = 0; ; part += 1) {
      const row = await database
        .selectFrom('skill_blobs')
        .selectAll()
        .where('digest', '=', digest)
        .where('part', '=', part)
        .executeTakeFirst();
      if (!row) {
        break;
      }
      const bytes = Buffer.from(row.bytes).toString('base64');
      yield `${JSON.stringify({ ...row, bytes })}\n`;
    }
  }
}

/** Digests of the blobs of drafts, reviews, personal skills, the newest versions and upstreams, up to the limit. */
async function selectBlobs(database: Database): Promise<Set<string>> {
  const sizes = new Map(
    (
      await database
        .selectFrom('skill_blobs')
        .select(['digest', ({ fn }) => fn.sum<number>(fn('length', ['bytes'])).as('size')])
        .groupBy('digest')
        .execute()
    ).map(({ digest, size }) => [digest, Number(size)]),
  );
  const selected = new Set<string>();
  let size = 0;
  for await (const { manifest } of readManifests(database)) {
    for (const { digest } of readManifest(manifest)) {
      if (!selected.has(digest)) {
        size += sizes.get(digest) ?? 0;
        if (size > maxBytes) {
          return selected;
        }
        selected.add(digest);
      }
    }
  }
  return selected;
}

const batchSize = 200;

/** Drafts, reviews, personal skills, and versions, newest first, then upstreams; versions in batches. */
async function* readManifests(database: Database): AsyncGenerator<{ manifest: string }> {
  yield* await database.selectFrom('skill_drafts').select('manifest').execute();
  yield* await database
    .selectFrom('skill_reviews')
    .select('manifest')
    .orderBy('created_at', 'desc')
    .execute();
  yield* await database.selectFrom('personal_skills').select('manifest').execute();
  yield* readVersionManifests(database);
  const upstreams = await database.selectFrom('skill_source_skills').select('manifest').execute();
  yield* upstreams.flatMap(({ manifest }) => (manifest === null ? [] : { manifest }));
}

async function* readVersionManifests(database: Database): AsyncGenerator<{ manifest: string }> {
  for (let offset = 0; ; offset += batchSize) {
    const rows = await database
      .selectFrom('skill_versions')
      .select('manifest')
      .where('manifest', 'is not', null)
      .orderBy('created_at', 'desc')
      .orderBy('skill')
      .orderBy('number')
      .limit(batchSize)
      .offset(offset)
      .execute();
    for (const { manifest } of rows) {
      if (manifest !== null) {
        yield { manifest };
      }
    }
    if (rows.length < batchSize) {
      return;
    }
  }
}

/** Tables of versions in a backup. A restore replaces them together. */
export const versionBackup = [
  backupTable('skills', {
    part: 'skill_versions',
    key: ['id'],
    unique: ['id', 'name'],
    row: skillRow,
  }),
  backupTable('skill_versions', {
    part: 'skill_versions',
    key: ['skill', 'number'],
    row: versionRow,
  }),
  backupTable('skill_blobs', {
    part: 'skill_versions',
    key: ['digest', 'part'],
    row: blobRow,
    exportRows: exportBlobs,
  }),
  backupTable('skill_blob_uses', {
    part: 'skill_versions',
    key: ['digest', 'skill'],
    row: blobUseRow,
  }),
];
