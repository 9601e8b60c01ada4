import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CheckOverride } from '@knowhow/shared/skills/publication-checks';
import type { OwnerKey } from '@knowhow/shared/skills/skill-owners';
import type { SkillVersion } from '@knowhow/shared/skills/skill-versions';
import type { PackedFile } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { writeCategory } from './category-of.ts';
import { findOrAddSkill } from './find-skill.ts';
import { type DescribedFiles, describeFiles, writeManifest } from './manifest.ts';
import { writeBlobs } from './skill-blobs.ts';
import { claimBlobs, lockContents, readBases, releaseUnused } from './stored-contents.ts';

/** Called with the number of a new version. */
export type Settle = (write: Kysely<Schema>, number: number) => Promise<void>;

export interface SkillChange {
  action: string;
  /** For example, the path of the written file. */
  summary: string;
  /** The author's words about the change. */
  message?: string | undefined;
  origin: SkillVersion['origin'];
  /** Omitted for a change found in the file system. */
  by?: { id: string; name: string };
  /** Display name of the administrator who approved it. */
  reviewedBy?: string | undefined;
  /** Failed checks that they have overridden. */
  override?: CheckOverride | undefined;
  /** Current files; `undefined` for a deletion. */
  files: readonly PackedFile[] | undefined;
  /** Assignments that a deletion removes. */
  assignments?: SkillAssignments;
}

/** Everything that the configuration says about a skill, and its owner. */
export interface SkillAssignments {
  /** Its entry in `config/skills.json`. */
  entry?: unknown;
  /** By app id. */
  apps?: Record<string, AppAssignment>;
  /** Ids of the groups that grant it. */
  groups?: string[];
  owner?: OwnerKey;
  /** Its name for users. */
  displayName?: string;
}

export interface AppAssignment {
  /** Its position in `skills`. */
  skills?: number;
  /** The version to which it is pinned. */
  version?: number;
  autoInject?: true;
  exclude?: true;
}

/** The columns that describe a change, without its files. */
export type NewRow = Pick<
  Schema['skill_versions'],
  | 'action'
  | 'summary'
  | 'message'
  | 'origin'
  | 'origin_detail'
  | 'user_id'
  | 'user_name'
  | 'reviewed_by'
  | 'override'
  | 'assignments'
>;

/** The columns that describe a change. */
export function newRow({
  action,
  summary,
  message = '',
  origin,
  by,
  reviewedBy,
  override,
  assignments,
}: Omit<SkillChange, 'files'>): NewRow {
  return {
    action,
    summary,
    message,
    origin: origin.kind,
    origin_detail: origin.detail ?? null,
    user_id: by?.id ?? null,
    user_name: by?.name ?? null,
    reviewed_by: reviewedBy ?? null,
    override: override ? JSON.stringify(override) : null,
    assignments: assignments ? JSON.stringify(assignments) : null,
  };
}

interface Addition {
  skill: string;
  row: NewRow;
  /** Undefined for a deletion. */
  files: readonly PackedFile[] | undefined;
  keep: number;
  /** Numbers that are kept in any case. */
  always: ReadonlySet<number>;
  settle: Settle | undefined;
}

/**
 * Adds versions with the next numbers, all or none, and deletes those above the limit. A crash at any time leaves
 * the old versions or the new ones; blobs that it leaves are collected at the next start.
 *
 * @returns their numbers
 */
export async function addVersions(
  database: Database,
  additions: readonly Addition[],
): Promise<number[]> {
  const all: Described[] = [];
  for (const addition of additions) {
    const { files } = addition;
    all.push({ ...addition, described: files && (await describeFiles(files)) });
    await yieldToEventLoop();
  }
  const contents = all.flatMap(({ files, described }) =>
    files && described ? [{ manifest: described.manifest, files }] : [],
  );
  await writeBlobs(database, ...contents);
  return database.transaction().execute(async (write) => {
    const numbers: number[] = [];
    for (const addition of all) {
      numbers.push(await addVersion(write, addition));
    }
    return numbers;
  });
}

interface Described extends Addition {
  described: DescribedFiles | undefined;
}

async function addVersion(
  write: Kysely<Schema>,
  { skill: name, row, files, described, keep, always, settle }: Described,
): Promise<number> {
  await lockContents(write, name);
  const skill = await findOrAddSkill(write, name);
  await claimBlobs(write, skill, described?.manifest ?? []);
  const newest = await write
    .selectFrom('skill_versions')
    .select('number')
    .where('skill', '=', skill)
    .orderBy('number', 'desc')
    .executeTakeFirst();
  const number = (newest?.number ?? 0) + 1;
  const now = new Date().toISOString();
  await write
    .insertInto('skill_versions')
    .values({
      ...row,
      skill,
      number,
      created_at: now,
      digest: described?.digest ?? null,
      checksum: described?.checksum ?? null,
      manifest: described ? writeManifest(described.manifest) : null,
      files: described?.files ?? 0,
      bytes: described?.bytes ?? 0,
      category: files ? writeCategory(files) : null,
    })
    .execute();
  // A deletion begins the time in the bin; any other version ends it.
  const binnedAt = described ? null : now;
  await write.updateTable('skills').set({ binned_at: binnedAt }).where('id', '=', skill).execute();
  await settle?.(write, number);
  if (number > keep) {
    await prune(write, skill, { last: number - keep, always });
  }
  return number;
}

/** Deletes versions up to a number, except some, with the blobs that are no longer used. */
async function prune(
  write: Kysely<Schema>,
  skill: string,
  { last, always }: { last: number; always: ReadonlySet<number> },
): Promise<void> {
  const kept = new Set([...always, ...(await readBases(write, skill))]);
  const old = await write
    .deleteFrom('skill_versions')
    .where('skill', '=', skill)
    .where('number', '<=', last)
    .$if(kept.size > 0, (query) => query.where('number', 'not in', [...kept]))
    .returning('manifest')
    .execute();
  await releaseUnused(write, skill, old);
}
