import { type Kysely, sql } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { dropDraftTests } from '../drafts/draft-tests.ts';
import type { SkillAssignments } from './add-version.ts';
import { lockContents, releaseUnused, withContents } from './stored-contents.ts';

/** Skills whose newest version is a deletion, and that have a version with files. */
export interface SkillBin {
  /** The last deleted first. */
  list(): Promise<DeletedSkill[]>;
  /** Undefined if it is not in the bin. */
  find(name: string): Promise<DeletedSkill | undefined>;
  /** The stored versions of these skills, by name. */
  measure(names: readonly string[]): Promise<Map<string, StoredVersions>>;
  /** Begins the time of those without one: they are from an update or a backup. */
  begin(): Promise<void>;
  /**
   * Deletes all versions before a deletion, drafts and reviews, with their contents; the numbers are not used again. Returns
   * whether the deletion was still the newest version. A crash leaves everything or nothing.
   */
  purge(name: string, number: number): Promise<boolean>;
}

export interface DeletedSkill {
  name: string;
  /** Number of the deletion. */
  number: number;
  /** ISO 8601. */
  deletedAt: string;
  /** Display name; undefined for a folder that was removed in the file system. */
  deletedBy: string | undefined;
  /** ISO 8601: when its time in the bin began; undefined until the job has begun it, after an update or a restore. */
  since: string | undefined;
  assignments: SkillAssignments;
}

export interface StoredVersions {
  /** Number of versions with files. */
  versions: number;
  /** Number of the newest of them, with its files and bytes. */
  newest: number;
  files: number;
  bytes: number;
}

/** Number of skills in one query. */
const batchSize = 500;

export function createSkillBin(cluster: Pick<Cluster, 'withLock'>, database: Database): SkillBin {
  return {
    list: async () =>
      (
        await deletions(database)
          .orderBy('version.created_at', 'desc')
          .orderBy('skills.name')
          .execute()
      ).map(toDeleted),
    find: async (name) => {
      const row = await deletions(database).where('skills.name', '=', name).executeTakeFirst();
      return row && toDeleted(row);
    },
    measure: async (names) => {
      const measured = new Map<string, StoredVersions>();
      for (let at = 0; at < names.length; at += batchSize) {
        for (const { name, ...stored } of await measure(
          database,
          names.slice(at, at + batchSize),
        )) {
          measured.set(name, stored);
        }
      }
      return measured;
    },
    begin: async () => {
      await database
        .updateTable('skills')
        .set({ binned_at: new Date().toISOString() })
        .where('binned_at', 'is', null)
        .where('id', 'in', deletions(database).clearSelect().select('skills.id'))
        .execute();
    },
    purge: (name, number) =>
      withContents(cluster, () =>
        database.transaction().execute(async (write) => {
          await lockContents(write, name);
          const found = await deletions(write)
            .select('skills.id')
            .where('skills.name', '=', name)
            .executeTakeFirst();
          if (found?.number !== number) {
            return false;
          }
          const { id } = found;
          const deleted = await write
            .deleteFrom('skill_versions')
            .where('skill', '=', id)
            .where('number', '<', number)
            .returning('manifest')
            .execute();
          // The deletion stays, so that pins and traces never mean another version of this number.
          await write
            .updateTable('skill_versions')
            .set({ assignments: null, message: '' })
            .where('skill', '=', id)
            .where('number', '=', number)
            .execute();
          await write
            .updateTable('skills')
            .set({ binned_at: null, owner_kind: null, owner_id: null })
            .where('id', '=', id)
            .execute();
          await releaseUnused(write, id, [
            ...deleted,
            ...(await deleteDrafts(write, { id, name })),
            ...(await deleteBases(write, id)),
          ]);
          return true;
        }),
      ),
  };
}

/** Deletes the draft, the reviews and the edit of the folder of a skill. Returns what they contained. */
async function deleteDrafts(
  write: Kysely<Schema>,
  { id, name }: { id: string; name: string },
): Promise<{ manifest: string | null }[]> {
  const drafts = await write
    .deleteFrom('skill_drafts')
    .where('skill', '=', id)
    .returning('manifest')
    .execute();
  const reviews = await write
    .deleteFrom('skill_reviews')
    .where('skill', '=', id)
    .returning(['id', 'manifest'])
    .execute();
  const ids = reviews.map((review) => review.id);
  if (ids.length > 0) {
    await write.deleteFrom('skill_review_comments').where('review', 'in', inList(ids)).execute();
  }
  await dropDraftTests(write, name);
  const edits = await write
    .deleteFrom('skill_folder_edits')
    .where('name', '=', name)
    .returning('manifest')
    .execute();
  return [...drafts, ...reviews, ...edits];
}

/** Deletes the files of a skill that were taken from sources. Returns what they contained. */
async function deleteBases(
  write: Kysely<Schema>,
  id: string,
): Promise<{ manifest: string | null }[]> {
  const bases = write.selectFrom('skill_source_skills').select('manifest');
  const found = await bases.where('skill_id', '=', id).execute();
  await write
    .updateTable('skill_source_skills')
    .set({ manifest: null })
    .where('skill_id', '=', id)
    .execute();
  return found;
}

function deletions(database: Kysely<Schema>) {
  return database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .select([
      'skills.name',
      'skills.binned_at',
      'version.number',
      'version.created_at',
      'version.user_name',
      'version.assignments',
    ])
    .where('version.checksum', 'is', null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('skill_versions as later')
            .select('later.number')
            .whereRef('later.skill', '=', 'version.skill')
            .whereRef('later.number', '>', 'version.number'),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('skill_versions as stored')
          .select('stored.number')
          .whereRef('stored.skill', '=', 'version.skill')
          .where('stored.manifest', 'is not', null),
      ),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof deletions>['execute']>>[number];

function toDeleted(row: Row): DeletedSkill {
  return {
    name: row.name,
    number: row.number,
    deletedAt: row.created_at,
    deletedBy: row.user_name ?? undefined,
    since: row.binned_at ?? undefined,
    assignments: row.assignments === null ? {} : (JSON.parse(row.assignments) as SkillAssignments),
  };
}

async function measure(database: Database, names: readonly string[]) {
  const rows = await database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .innerJoin(
      (query) =>
        query
          .selectFrom('skill_versions')
          .select([
            'skill',
            sql<number>`count(*)`.as('versions'),
            sql<number>`max(number)`.as('last'),
          ])
          .where('manifest', 'is not', null)
          .where(
            'skill',
            'in',
            query.selectFrom('skills').select('id').where('name', 'in', inList(names)),
          )
          .groupBy('skill')
          .as('stored'),
      (join) =>
        join
          .onRef('stored.skill', '=', 'version.skill')
          .onRef('stored.last', '=', 'version.number'),
    )
    .select(['skills.name', 'stored.versions', 'version.number', 'version.files', 'version.bytes'])
    .execute();
  return rows.map(({ name, versions, number, files, bytes }) => ({
    name,
    versions: Number(versions),
    newest: number,
    files,
    bytes,
  }));
}
