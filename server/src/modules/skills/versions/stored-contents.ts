import type { Kysely } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { type ManifestFile, readManifest } from './manifest.ts';
import { digestsOf, readStoredSizes, releaseBlobs, useBlobs } from './skill-blobs.ts';

/**
 * Held on all nodes from before contents are written until a row names them: another write or a
 * release in between would delete them.
 */
export function withContents<Result>(
  cluster: Pick<Cluster, 'withLock'>,
  run: () => Promise<Result>,
): Promise<Result> {
  return cluster.withLock('skill versions', run);
}

/** Held while blobs are deleted, or begin to be used. */
export const blobLock = 'skill blobs';

/** Serializes transactions that change the versions, draft or reviews of a skill. */
export async function lockContents(write: Kysely<Schema>, name: string): Promise<void> {
  await acquireTransactionLock(write, blobLock);
  await acquireTransactionLock(write, `versions ${name}`);
}

/** Records that a skill uses the blobs of a manifest. Throws if one was deleted since it was written. */
export async function claimBlobs(
  write: Kysely<Schema>,
  skill: string,
  manifest: readonly ManifestFile[],
): Promise<void> {
  const digests = digestsOf(manifest);
  if ((await readStoredSizes(write, digests)).size < digests.length) {
    throw new Error(`Contents of skill "${skill}" were deleted while they were recorded.`);
  }
  await useBlobs(write, skill, digests);
}

/** Releases the blobs of deleted manifests that no version, draft, review, upstream or edit of the skill's folder has. */
export async function releaseUnused(
  write: Kysely<Schema>,
  skill: string,
  deleted: readonly { manifest: string | null }[],
): Promise<void> {
  const unused = new Set(deleted.flatMap(digestsIn));
  if (unused.size === 0) {
    return;
  }
  const upstreams = write
    .selectFrom('skill_source_skills')
    .select('manifest')
    .where('skill_id', '=', skill);
  const others = (['skill_drafts', 'skill_reviews', 'skill_versions'] as const).map((table) =>
    write.selectFrom(table).select('manifest').where('skill', '=', skill),
  );
  for (const query of [upstreams, ...others]) {
    const rows: { manifest: string | null }[] = await query.execute();
    for (const digest of rows.flatMap(digestsIn)) {
      unused.delete(digest);
    }
  }
  const edits = await write
    .selectFrom('skill_folder_edits as edit')
    .innerJoin('skills', 'skills.name', 'edit.name')
    .select('edit.manifest')
    .where('skills.id', '=', skill)
    .execute();
  for (const digest of edits.flatMap(digestsIn)) {
    unused.delete(digest);
  }
  await releaseBlobs(write, skill, [...unused]);
}

/** Numbers of the versions that the draft, the open review and the edit of the folder of a skill are based on. */
export async function readBases(write: Kysely<Schema>, skill: string): Promise<number[]> {
  const drafts = await write
    .selectFrom('skill_drafts')
    .select('base')
    .where('skill', '=', skill)
    .execute();
  const reviews = await write
    .selectFrom('skill_reviews')
    .select('base')
    .where('skill', '=', skill)
    .where('state', '=', 'open')
    .execute();
  const edits = await write
    .selectFrom('skill_folder_edits as edit')
    .innerJoin('skills', 'skills.name', 'edit.name')
    .select('edit.base')
    .where('skills.id', '=', skill)
    .execute();
  return [...drafts, ...reviews, ...edits].flatMap(({ base }) => base ?? []);
}

function digestsIn({ manifest }: { manifest: string | null }): string[] {
  return manifest === null ? [] : digestsOf(readManifest(manifest));
}
