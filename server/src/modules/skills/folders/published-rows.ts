import { type Kysely, sql } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { findMain } from '../versions/category-of.ts';
import { type ManifestFile, readManifest } from '../versions/manifest.ts';
import { selectNewest } from '../versions/newest-versions.ts';
import { digestsOf, readBlob, readStoredSizes } from '../versions/skill-blobs.ts';
import type { VersionFiles } from '../versions/version-source.ts';

/** The published version of a local skill. */
export interface PublishedFiles extends VersionFiles {
  name: string;
  number: number;
  /** SHA-256 in hex that includes executable bits. */
  checksum: string;
  /** The bytes of its `SKILL.md`; undefined if it has none, or if it is not stored. */
  main: Buffer | undefined;
}

const batchSize = 100;

/**
 * The newest versions of local skills, in batches by name: of all, or of one skill. Deleted skills and those of
 * plugins are left out.
 */
export async function* readPublished(
  database: Kysely<Schema>,
  one?: string,
): AsyncGenerator<PublishedFiles[]> {
  for (let last = ''; ; ) {
    const rows = await rowsAfter(database, last, one);
    const described = rows.map(({ manifest, ...row }) => ({
      ...row,
      manifest: manifest === null ? [] : readManifest(manifest),
    }));
    yield await readBatch(database, described);
    const end = rows.at(-1)?.name;
    if (one !== undefined || end === undefined || rows.length < batchSize) {
      return;
    }
    last = end;
  }
}

/** The same of all skills, one by one. */
export async function* listPublished(database: Kysely<Schema>): AsyncGenerator<PublishedFiles> {
  for await (const batch of readPublished(database)) {
    yield* batch;
  }
}

/** The content of a file of a version; undefined if it is not stored any more. */
export function readPublishedFile(
  database: Kysely<Schema>,
  { digest }: ManifestFile,
): Promise<Buffer | undefined> {
  return readBlob(database, digest);
}

type Row = Awaited<ReturnType<typeof rowsAfter>>[number];

function rowsAfter(database: Kysely<Schema>, after: string, one: string | undefined) {
  const wanted = one === undefined ? { after } : { names: [one] };
  return selectNewest(database, { ...wanted, limit: batchSize })
    .where('version.checksum', 'is not', null)
    .where('version.origin', '<>', 'plugin')
    .execute();
}

async function readBatch(
  database: Kysely<Schema>,
  rows: readonly (Omit<Row, 'manifest'> & { manifest: ManifestFile[] })[],
): Promise<PublishedFiles[]> {
  const sizes = await readStoredSizes(
    database,
    digestsOf(rows.flatMap(({ manifest }) => manifest)),
  );
  const mains = rows.flatMap(({ manifest }) => findMain(manifest) ?? []);
  const contents = await readSmall(database, mains);
  const published: PublishedFiles[] = [];
  for (const { name, number, checksum, manifest, created_at: createdAt } of rows) {
    const main = findMain(manifest);
    published.push({
      name,
      number,
      checksum: checksum ?? '',
      manifest,
      sizes: new Map(manifest.flatMap(({ digest }) => sizeOf(digest, sizes))),
      createdAt: Date.parse(createdAt),
      main: main && (contents.get(main.digest) ?? (await readBlob(database, main.digest))),
    });
  }
  return published;
}

function sizeOf(digest: string, sizes: ReadonlyMap<string, number>): [string, number][] {
  const size = sizes.get(digest);
  return size === undefined ? [] : [[digest, size]];
}

/** The contents of blobs with a single part, in one query. */
async function readSmall(
  database: Kysely<Schema>,
  files: readonly ManifestFile[],
): Promise<Map<string, Buffer>> {
  const rows = await database
    .selectFrom('skill_blobs')
    .select(['digest', 'bytes'])
    .where('digest', 'in', inList(digestsOf(files)))
    .where('part', '=', 0)
    .where(sql<boolean>`parts = 1`)
    .execute();
  return new Map(rows.map(({ digest, bytes }) => [digest, Buffer.from(new Uint8Array(bytes))]));
}
