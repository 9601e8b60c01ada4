import type { SkillVersion } from '@knowhow/shared/skills/skill-versions';
import type { PackedFile } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import {
  addVersions,
  type NewRow,
  newRow,
  type Settle,
  type SkillAssignments,
  type SkillChange,
} from './add-version.ts';
import { readCategory } from './category-of.ts';
import { adoptRenamed, findSkill } from './find-skill.ts';
import { describeFiles, type ManifestFile, readManifest } from './manifest.ts';
import { parseOverride } from './parse-override.ts';
import { collectBlobs, digestsOf, readBlob, readFiles, readStoredSizes } from './skill-blobs.ts';
import { blobLock, withContents } from './stored-contents.ts';
import { readVersionCategories } from './version-categories.ts';

/**
 * The versions of each skill, including deletions, so that a deleted skill can be restored. Skills
 * are named by their current or last name.
 */
export interface SkillVersions {
  /**
   * Records the current files if the newest version has others: someone changed them in the file
   * system. A skill without versions takes those of a skill that is gone and had the same files: it
   * was renamed. Returns whether it recorded a version.
   */
  keepBefore(
    skill: string,
    files: readonly PackedFile[],
    origin?: StoredVersion['origin'],
  ): Promise<boolean>;
  /** Records a version after a write. Resolves when it is durable. */
  record(skill: string, change: SkillChange): Promise<void>;
  /** Records versions of several skills together, all or none. */
  recordAll(changes: readonly NamedChange[]): Promise<void>;
  /**
   * Records a version after a write, like `record`, and runs `settle` in the same transaction. Returns
   * its number. If `settle` throws, there is no version.
   */
  publish(skill: string, change: SkillChange, settle: Settle): Promise<number>;
  /** Newest first, at most `limit`; with `before`, only those with lower numbers. */
  list(skill: string, page: { limit: number; before?: number | undefined }): Promise<VersionPage>;
  /** Undefined if there is no such version. */
  get(skill: string, number: number): Promise<StoredVersion | undefined>;
  /** The number of the version before; undefined for the first one that is kept. */
  numberBefore(skill: string, number: number): Promise<number | undefined>;
  /** The categories of all versions with files of skills, by name. A skill without any is missing. */
  categories(skills: readonly string[]): Promise<Map<string, (string | undefined)[]>>;
  /** Files of a version; undefined if there is no such version, or if it is a deletion. */
  manifest(skill: string, number: number): Promise<ManifestFile[] | undefined>;
  /** Sizes in bytes by digest, of files that are stored. */
  sizes(files: readonly ManifestFile[]): Promise<Map<string, number>>;
  /** Undefined if it is not stored. */
  content(file: ManifestFile): Promise<Buffer | undefined>;
  /** The same as `manifest`, with contents. */
  files(skill: string, number: number): Promise<PackedFile[] | undefined>;
  /**
   * Assignments to restore after a deletion; undefined unless the skill's last version is a
   * deletion.
   */
  assignments(skill: string): Promise<SkillAssignments | undefined>;
  /** At startup: removes leftovers of a crash. */
  recover(): Promise<void>;
}

/** A change of a skill, with its name. */
interface NamedChange extends SkillChange {
  skill: string;
}

export type StoredVersion = Omit<SkillVersion, 'isCurrent'> & { category: string | undefined };

export interface VersionPage {
  items: StoredVersion[];
  total: number;
}

interface Options {
  cluster: Cluster;
  database: Database;
  /** How many versions of each skill are kept. */
  keep: () => number;
  /** Numbers of a skill's versions that are kept in any case. Asked only if versions are due for pruning. */
  keepAlways: (name: string) => Promise<ReadonlySet<number>>;
  /** Whether a skill of this name exists, to detect renamed ones. */
  isThere: (name: string) => boolean;
}

type Row = Schema['skill_versions'];
export function createSkillVersions({
  cluster,
  database,
  keep,
  keepAlways,
  isThere,
}: Options): SkillVersions {
  const withLock = <Result>(run: () => Promise<Result>) => withContents(cluster, run);
  const plan = async (skill: string, row: NewRow, files: readonly PackedFile[] | undefined) => {
    const most = keep();
    const newest = await findNewest(database, skill);
    const always = (newest?.number ?? 0) >= most ? await keepAlways(skill) : none;
    return { skill, row, files, keep: most, always, settle: undefined };
  };
  const add = async (settle: Settle | undefined, ...change: Parameters<typeof plan>) => {
    const [number = 0] = await addVersions(database, [{ ...(await plan(...change)), settle }]);
    return number;
  };
  const recordAll: SkillVersions['recordAll'] = (changes) =>
    withLock(async () => {
      const planned: Awaited<ReturnType<typeof plan>>[] = [];
      for (const { skill, files, ...change } of changes) {
        planned.push(await plan(skill, newRow(change), files));
      }
      await addVersions(database, planned);
    });
  const manifest: SkillVersions['manifest'] = async (skill, number) => {
    const row = await versionsOf(database, skill)
      .select('manifest')
      .where('number', '=', number)
      .executeTakeFirst();
    return row?.manifest ? readManifest(row.manifest) : undefined;
  };
  return {
    keepBefore: (skill, files, origin = { kind: 'file-system' }) =>
      withLock(async () => {
        const { checksum } = await describeFiles(files);
        if (!(await findSkill(database, skill))) {
          await adoptRenamed(database, { name: skill, checksum, isThere });
        }
        const newest = await findNewest(database, skill);
        if (newest?.checksum === checksum) {
          return false;
        }
        const change = { action: 'found', summary: '', origin, message: undefined };
        await add(undefined, skill, newRow(change), files);
        return true;
      }),
    record: (skill, change) => recordAll([{ ...change, skill }]),
    recordAll,
    publish: (skill, { files, ...change }, settle) =>
      withLock(() => add(settle, skill, newRow(change), files)),
    list: async (skill, { limit, before }) => {
      const versions = versionsOf(database, skill);
      const count = await versions
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirst();
      const rows = await versions
        .select(listed)
        .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
        .orderBy('number', 'desc')
        .limit(limit)
        .execute();
      return { items: rows.map(toVersion), total: Number(count?.total ?? 0) };
    },
    get: async (skill, number) => {
      const row = await versionsOf(database, skill)
        .select(listed)
        .where('number', '=', number)
        .executeTakeFirst();
      return row && toVersion(row);
    },
    numberBefore: async (skill, number) => {
      const row = await versionsOf(database, skill)
        .select('number')
        .where('number', '<', number)
        .orderBy('number', 'desc')
        .executeTakeFirst();
      return row?.number;
    },
    categories: (skills) => readVersionCategories(database, skills),
    manifest,
    sizes: (files) => readStoredSizes(database, digestsOf(files)),
    content: ({ digest }) => readBlob(database, digest),
    files: async (skill, number) => {
      const found = (await manifest(skill, number)) ?? [];
      return found.length > 0 ? readFiles(database, found) : undefined;
    },
    assignments: async (skill) => {
      const newest = await findNewest(database, skill);
      return newest?.checksum === null && newest.assignments !== null
        ? (JSON.parse(newest.assignments) as SkillAssignments)
        : undefined;
    },
    recover: () =>
      withLock(() =>
        database.transaction().execute(async (write) => {
          await acquireTransactionLock(write, blobLock);
          await collectBlobs(write);
        }),
      ),
  };
}

const none: ReadonlySet<number> = new Set();

function findNewest(database: Kysely<Schema>, skill: string) {
  return versionsOf(database, skill)
    .select(['number', 'checksum', 'assignments'])
    .orderBy('number', 'desc')
    .executeTakeFirst();
}

const listed = [
  'number',
  'digest',
  'checksum',
  'user_name',
  'reviewed_by',
  'override',
  'message',
  'action',
  'summary',
  'origin',
  'origin_detail',
  'created_at',
  'files',
  'bytes',
  'category',
] as const;

function versionsOf(database: Kysely<Schema>, skill: string) {
  return database
    .selectFrom('skill_versions')
    .where('skill', '=', (select) =>
      select.selectFrom('skills').select('id').where('name', '=', skill),
    );
}

function toVersion(row: Pick<Row, (typeof listed)[number]>): StoredVersion {
  const { number, digest, checksum, message, action, summary, files, bytes } = row;
  const override = row.override === null ? undefined : parseOverride(row.override);
  return {
    number,
    ...(digest === null ? {} : { digest }),
    ...(checksum === null ? {} : { checksum }),
    ...(row.user_name === null ? {} : { author: row.user_name }),
    ...(row.reviewed_by === null ? {} : { reviewedBy: row.reviewed_by }),
    ...(override ? { override } : {}),
    message,
    action,
    summary,
    origin: {
      kind: row.origin as StoredVersion['origin']['kind'],
      ...(row.origin_detail === null ? {} : { detail: row.origin_detail }),
    },
    created: row.created_at,
    files,
    bytes,
    category: readCategory(row.category),
  };
}
