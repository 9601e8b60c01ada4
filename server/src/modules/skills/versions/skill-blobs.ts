import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { PackedFile } from '@knowhow/skill-format';
import { type Kysely, sql } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { ManifestFile } from './manifest.ts';

/** In bytes: takes some milliseconds to write. */
const partSize = 1024 * 1024;
/** Small blobs are written together, up to this number. */
const batchRows = 100;

type Write = Kysely<Schema>;
type Row = { digest: string; part: number; parts: number; bytes: Uint8Array };

/** Files, and the manifest that describes them. */
interface Contents {
  manifest: readonly ManifestFile[];
  files: readonly PackedFile[];
}

/**
 * Stores contents that are not stored yet, in parts, so that other requests can run in between. A
 * blob is kept once a row of `skill_blob_uses` names it.
 */
export async function writeBlobs(database: Write, ...contents: Contents[]): Promise<void> {
  const digests = digestsOf(contents.flatMap(({ manifest }) => manifest));
  const stored = await readStoredSizes(database, digests);
  const missing = new Map<string, Uint8Array>();
  for (const { manifest, files } of contents) {
    const bytesByPath = new Map(files.map(({ path, bytes }) => [path, bytes]));
    for (const { digest, path } of manifest) {
      if (!stored.has(digest)) {
        missing.set(digest, bytesByPath.get(path) ?? new Uint8Array());
      }
    }
  }
  if (missing.size === 0) {
    return;
  }
  // Parts of a write that was interrupted.
  await database
    .deleteFrom('skill_blobs')
    .where('digest', 'in', inList([...missing.keys()]))
    .execute();
  let rows: Row[] = [];
  let size = 0;
  for (const [digest, bytes] of missing) {
    for (const row of partsOf(digest, bytes)) {
      rows.push(row);
      size += row.bytes.length;
      if (size >= partSize || rows.length === batchRows) {
        await database.insertInto('skill_blobs').values(rows).execute();
        rows = [];
        size = 0;
        await yieldToEventLoop();
      }
    }
  }
  if (rows.length > 0) {
    await database.insertInto('skill_blobs').values(rows).execute();
  }
}

function partsOf(digest: string, bytes: Uint8Array): Row[] {
  const parts = Math.max(1, Math.ceil(bytes.length / partSize));
  return Array.from({ length: parts }, (_, part) => ({
    digest,
    part,
    parts,
    bytes: bytes.subarray(part * partSize, (part + 1) * partSize),
  }));
}

/** Distinct digests of a manifest. */
export function digestsOf(manifest: readonly ManifestFile[]): string[] {
  return [...new Set(manifest.map(({ digest }) => digest))];
}

/** Sizes in bytes of the blobs that are completely stored, by digest. */
export async function readStoredSizes(
  database: Write,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom('skill_blobs')
    .select(['digest', sql<number>`sum(length(bytes))`.as('size')])
    .where('digest', 'in', inList(digests))
    .groupBy('digest')
    .having(sql<boolean>`count(*) = max(parts)`)
    .execute();
  return new Map(rows.map(({ digest, size }) => [digest, Number(size)]));
}

/** Undefined if it is not stored, or a part is missing. */
export async function readBlob(database: Write, digest: string): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  for (let part = 0; ; part += 1) {
    const row = await database
      .selectFrom('skill_blobs')
      .select(['parts', 'bytes'])
      .where('digest', '=', digest)
      .where('part', '=', part)
      .executeTakeFirst();
    if (!row) {
      return undefined;
    }
    pieces.push(new Uint8Array(row.bytes));
    if (pieces.length === row.parts) {
      return Buffer.concat(pieces);
    }
    await yieldToEventLoop();
  }
}

/** The files of a manifest with their contents; undefined if one is not stored. */
export async function readFiles(
  database: Write,
  manifest: readonly ManifestFile[],
): Promise<PackedFile[] | undefined> {
  const files: PackedFile[] = [];
  for (const { path, executable, digest } of manifest) {
    const bytes = await readBlob(database, digest);
    if (!bytes) {
      return undefined;
    }
    files.push({ path, executable, bytes });
  }
  return files;
}

const headBytes = 512;

/** The first bytes of the blobs of a manifest, by digest. */
export async function readHeads(
  database: Write,
  manifest: readonly ManifestFile[],
): Promise<Map<string, Buffer>> {
  const rows = await database
    .selectFrom('skill_blobs')
    .select(['digest', sql<Uint8Array>`substr(bytes, 1, ${sql.lit(headBytes)})`.as('head')])
    .where('part', '=', 0)
    .where('digest', 'in', inList(digestsOf(manifest)))
    .execute();
  return new Map(rows.map(({ digest, head }) => [digest, Buffer.from(head)]));
}

/** Records that a skill has these blobs. */
export async function useBlobs(
  write: Write,
  skill: string,
  digests: readonly string[],
): Promise<void> {
  for (let at = 0; at < digests.length; at += batchRows) {
    const rows = digests.slice(at, at + batchRows).map((digest) => ({ digest, skill }));
    await write
      .insertInto('skill_blob_uses')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Records that a skill no longer has these blobs, and deletes those that no other skill has. */
export async function releaseBlobs(
  write: Write,
  skill: string,
  digests: readonly string[],
): Promise<void> {
  if (digests.length > 0) {
    await write
      .deleteFrom('skill_blob_uses')
      .where('skill', '=', skill)
      .where('digest', 'in', inList(digests))
      .execute();
    await deleteUnused(write).where('digest', 'in', inList(digests)).execute();
  }
}

/** Deletes blobs that no skill has: leftovers of interrupted writes. */
export async function collectBlobs(write: Write): Promise<void> {
  await deleteUnused(write).execute();
}

function deleteUnused(write: Write) {
  return write
    .deleteFrom('skill_blobs')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('skill_blob_uses')
            .select('skill_blob_uses.digest')
            .whereRef('skill_blob_uses.digest', '=', 'skill_blobs.digest'),
        ),
      ),
    );
}
