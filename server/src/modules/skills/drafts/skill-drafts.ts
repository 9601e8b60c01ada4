import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { PackedFile } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { readCategory, writeCategory } from '../versions/category-of.ts';
import { findOrAddSkill, findSkill } from '../versions/find-skill.ts';
import {
  type DescribedFiles,
  describeFiles,
  type ManifestFile,
  readManifest,
  writeManifest,
} from '../versions/manifest.ts';
import { readFiles, readHeads, writeBlobs } from '../versions/skill-blobs.ts';
import {
  claimBlobs,
  lockContents,
  releaseUnused,
  withContents,
} from '../versions/stored-contents.ts';
import { type Authors, addAuthor, parseAuthors } from './authors.ts';
import { dropDraftTests } from './draft-tests.ts';
import { findOpenChanges, type OpenChanges } from './find-open-changes.ts';

/** The open drafts of skills, at most one for each. Skills are named by their current or last name. */
export interface SkillDrafts {
  get(skill: string): Promise<StoredDraft | undefined>;
  /**
   * Saves a draft, or begins one. Throws `changed-meanwhile` unless `expected` is the etag of the
   * draft or, without a draft, the checksum of the published files, and `precondition-required` if it may only begin one
   * and there is one.
   */
  save(skill: string, saving: DraftSaving): Promise<StoredDraft>;
  /** Throws `not-found`, or `changed-meanwhile`. Its review stays. */
  discard(skill: string, expected: string | undefined): Promise<void>;
  /** Undefined if one of the files is not stored. */
  files(manifest: readonly ManifestFile[]): Promise<PackedFile[] | undefined>;
  /** All drafts by name, without their files. */
  list(): Promise<ListedDraft[]>;
  /** The drafts and open reviews of these skills. */
  openChanges(names: readonly string[]): Promise<OpenChanges>;
  /** The first 512 bytes of files by digest, to detect their types. */
  heads(manifest: readonly ManifestFile[]): Promise<Map<string, Buffer>>;
}

/** Files that are not published. */
export interface StoredSnapshot {
  skill: string;
  /** The version that it changes. */
  base: number | undefined;
  manifest: ManifestFile[];
  digest: string;
  /** SHA-256 in hex that includes executable bits. */
  checksum: string;
  files: number;
  bytes: number;
  /** The one in `SKILL.md`; undefined for none. */
  category: string | undefined;
  authors: Authors;
  created: string;
}

export interface StoredDraft extends StoredSnapshot {
  etag: string;
  updated: string;
  /** Display name. */
  updatedBy: string;
}

/** A draft without its files. */
export interface ListedDraft {
  skill: string;
  category: string | undefined;
  authors: Authors;
  updated: string;
  isInReview: boolean;
}

interface DraftSaving {
  files: readonly PackedFile[];
  by: Authors[number];
  /** From `If-Match`. */
  expected: string | undefined;
  /** Whether it may only begin a draft: the author has not said which one they have seen. */
  mustBegin?: boolean;
  /** Checksum of the published files; undefined if the skill does not exist. */
  published: string | undefined;
  /** The newest version, for a draft that begins or is rebased. */
  base: number | undefined;
  isRebased?: boolean;
}

type DraftRow = Schema['skill_drafts'];

export function createSkillDrafts(cluster: Cluster, database: Database): SkillDrafts {
  return {
    get: (skill) => getDraft(database, skill),
    save: (skill, saving) => withContents(cluster, () => saveDraft(database, skill, saving)),
    discard: (skill, expected) =>
      withContents(cluster, () => discardDraft(database, skill, expected)),
    files: (manifest) => readFiles(database, manifest),
    list: () => listDrafts(database),
    openChanges: (names) => findOpenChanges(database, names),
    heads: (manifest) => readHeads(database, manifest),
  };
}

/**
 * The problem for a skill without a draft.
 *
 * @param isHidden whether there is one that the caller may not see
 */
export function noDraft(skill: string, { isHidden = false } = {}) {
  return problem('not-found', `Skill "${skill}" has no draft. Save one first.`, {
    hidesNothing: !isHidden,
  });
}

async function getDraft(database: Kysely<Schema>, skill: string): Promise<StoredDraft | undefined> {
  const row = await findDraft(database, skill);
  return row && { ...toSnapshot(row, skill), ...stateOf(row) };
}

function stateOf({ etag, updated_at: updated, updated_by: updatedBy }: DraftRow) {
  return { etag, updated, updatedBy };
}

async function listDrafts(database: Kysely<Schema>): Promise<ListedDraft[]> {
  const rows = await database
    .selectFrom('skill_drafts')
    .innerJoin('skills', 'skills.id', 'skill_drafts.skill')
    .leftJoin('skill_reviews', (join) =>
      join
        .onRef('skill_reviews.skill', '=', 'skill_drafts.skill')
        .on('skill_reviews.state', '=', 'open'),
    )
    .select([
      'skills.name',
      'skill_drafts.category',
      'skill_drafts.authors',
      'skill_drafts.updated_at',
      'skill_reviews.id as review',
    ])
    .orderBy('skills.name')
    .execute();
  return rows.map(({ name, category, authors, updated_at: updated, review }) => ({
    skill: name,
    category: readCategory(category),
    authors: parseAuthors(authors) ?? [],
    updated,
    isInReview: review !== null,
  }));
}

/** The row of the draft of a skill by name. */
export async function findDraft(
  database: Kysely<Schema>,
  skill: string,
): Promise<DraftRow | undefined> {
  const id = await findSkill(database, skill);
  return id === undefined
    ? undefined
    : database.selectFrom('skill_drafts').selectAll().where('skill', '=', id).executeTakeFirst();
}

async function saveDraft(
  database: Database,
  name: string,
  { files, by, expected, published, base, isRebased = false, mustBegin = false }: DraftSaving,
): Promise<StoredDraft> {
  const described = await describeFiles(files);
  await writeBlobs(database, { manifest: described.manifest, files });
  return database.transaction().execute(async (write) => {
    await lockContents(write, name);
    const before = await findDraft(write, name);
    if (before && mustBegin) {
      throw problem(
        'precondition-required',
        `Skill "${name}" has a draft, saved by ${before.updated_by}. Load it, and send its etag as If-Match to overwrite it.`,
      );
    }
    checkUnchanged(expected, before?.etag ?? published);
    const skill = before?.skill ?? (await findOrAddSkill(write, name));
    await claimBlobs(write, skill, described.manifest);
    const now = new Date().toISOString();
    const row: DraftRow = {
      ...toColumns(described),
      category: writeCategory(files),
      skill,
      base: (before && !isRebased ? before.base : base) ?? null,
      authors: addAuthor(before?.authors, by),
      created_at: before?.created_at ?? now,
      etag: randomUUID(),
      updated_at: now,
      updated_by: by.name,
    };
    await write.deleteFrom('skill_drafts').where('skill', '=', skill).execute();
    await write.insertInto('skill_drafts').values(row).execute();
    await releaseUnused(write, skill, before ? [before] : []);
    return { ...toSnapshot(row, name), ...stateOf(row) };
  });
}

async function discardDraft(
  database: Database,
  skill: string,
  expected: string | undefined,
): Promise<void> {
  await database.transaction().execute(async (write) => {
    await lockContents(write, skill);
    const draft = await findDraft(write, skill);
    if (!draft) {
      throw noDraft(skill);
    }
    checkUnchanged(expected, draft.etag);
    await write.deleteFrom('skill_drafts').where('skill', '=', draft.skill).execute();
    await releaseUnused(write, draft.skill, [draft]);
    await dropDraftTests(write, skill);
    await dropUnusedSkill(write, draft.skill);
  });
}

function toColumns({ manifest, digest, checksum, files, bytes }: DescribedFiles) {
  return { manifest: writeManifest(manifest), digest, checksum, files, bytes };
}

/** Deletes the row of a skill that never had a version, so that a renamed folder can take the name. */
export async function dropUnusedSkill(write: Kysely<Schema>, skill: string): Promise<void> {
  await write
    .deleteFrom('skills')
    .where('id', '=', skill)
    .where((where) =>
      where.not(
        where.or(
          (['skill_versions', 'skill_reviews', 'skill_drafts'] as const).map((table) =>
            where.exists(where.selectFrom(table).select('digest').where('skill', '=', skill)),
          ),
        ),
      ),
    )
    .where('name', 'not in', (edits) => edits.selectFrom('skill_folder_edits').select('name'))
    .execute();
}

/** Reads the columns that drafts and reviews share. */
export function toSnapshot(
  row: Omit<DraftRow, 'etag' | 'updated_at' | 'updated_by'>,
  skill: string,
): StoredSnapshot {
  const { base, manifest, digest, checksum, files, bytes, authors, created_at: created } = row;
  return {
    skill,
    base: base ?? undefined,
    manifest: readManifest(manifest),
    digest,
    checksum,
    files,
    bytes,
    category: readCategory(row.category),
    authors: parseAuthors(authors) ?? [],
    created,
  };
}
