import type { PackedFile } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { dropUnusedSkill } from '../drafts/skill-drafts.ts';
import { readCategory, writeCategory } from '../versions/category-of.ts';
import { findOrAddSkill, findSkill } from '../versions/find-skill.ts';
import {
  describeFiles,
  type ManifestFile,
  readManifest,
  writeManifest,
} from '../versions/manifest.ts';
import { readFiles, writeBlobs } from '../versions/skill-blobs.ts';
import {
  claimBlobs,
  lockContents,
  releaseUnused,
  withContents,
} from '../versions/stored-contents.ts';

/** An edit of the folder of a skill that is not published. */
export interface FolderEdit {
  /** The name of the skill, which may not exist yet. */
  name: string;
  /** The version that the folder held before; undefined for a new skill. */
  base: number | undefined;
  /** Undefined if the folder was removed. */
  manifest: ManifestFile[] | undefined;
  checksum: string | undefined;
  category: string | undefined;
  /** ISO 8601. */
  found: string;
  /** Whether the draft of the skill contains it. */
  isDrafted: boolean;
  /** Whether the server has overwritten the folder since. */
  isOverwritten: boolean;
}

/** The edits in the database, with their files. */
export interface EditStore {
  list(): Promise<FolderEdit[]>;
  get(name: string): Promise<FolderEdit | undefined>;
  /** Stores an edit, in place of an earlier one of the same folder. `files` is undefined for a removed folder. */
  save(
    name: string,
    edit: { files: readonly PackedFile[] | undefined; base: number | undefined },
  ): Promise<FolderEdit>;
  mark(
    name: string,
    marks: Partial<Pick<FolderEdit, 'isDrafted' | 'isOverwritten'>>,
  ): Promise<void>;
  remove(name: string): Promise<void>;
  /** Undefined if the folder was removed, or if its files are not stored any more. */
  files(edit: FolderEdit): Promise<PackedFile[] | undefined>;
  /** Undefined if a file is not stored. */
  read(manifest: readonly ManifestFile[]): Promise<PackedFile[] | undefined>;
}

export function createEditStore(cluster: Cluster, database: Database): EditStore {
  const get = async (name: string) => {
    const row = await findRow(database, name);
    return row && toEdit(row);
  };
  return {
    list: async () => {
      const rows = await database
        .selectFrom('skill_folder_edits')
        .selectAll()
        .orderBy('name')
        .execute();
      return rows.map(toEdit);
    },
    get,
    save: (name, edit) => withContents(cluster, () => saveEdit(database, name, edit)),
    mark: async (name, { isDrafted, isOverwritten }) => {
      await database
        .updateTable('skill_folder_edits')
        .set({
          ...(isDrafted === undefined ? {} : { is_drafted: Number(isDrafted) }),
          ...(isOverwritten === undefined ? {} : { is_overwritten: Number(isOverwritten) }),
        })
        .where('name', '=', name)
        .execute();
    },
    remove: (name) => withContents(cluster, () => removeEdit(database, name)),
    files: async ({ manifest }) => manifest && readFiles(database, manifest),
    read: (manifest) => readFiles(database, manifest),
  };
}

type Row = Schema['skill_folder_edits'];

function findRow(database: Kysely<Schema>, name: string): Promise<Row | undefined> {
  return database
    .selectFrom('skill_folder_edits')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst();
}

async function saveEdit(
  database: Database,
  name: string,
  { files, base }: Parameters<EditStore['save']>[1],
): Promise<FolderEdit> {
  const described = files && (await describeFiles(files));
  const manifest = described?.manifest ?? [];
  await writeBlobs(database, { manifest, files: files ?? [] });
  return database.transaction().execute(async (write) => {
    await lockContents(write, name);
    const before = await findRow(write, name);
    const skill = await findOrAddSkill(write, name);
    await claimBlobs(write, skill, manifest);
    const row: Row = {
      name,
      base: base ?? null,
      manifest: described ? writeManifest(manifest) : null,
      checksum: described?.checksum ?? null,
      category: files ? writeCategory(files) : null,
      found_at: new Date().toISOString(),
      is_drafted: 0,
      is_overwritten: 0,
    };
    await write.deleteFrom('skill_folder_edits').where('name', '=', name).execute();
    await write.insertInto('skill_folder_edits').values(row).execute();
    await releaseUnused(write, skill, before ? [before] : []);
    return toEdit(row);
  });
}

async function removeEdit(database: Database, name: string): Promise<void> {
  await database.transaction().execute(async (write) => {
    await lockContents(write, name);
    const removed = await write
      .deleteFrom('skill_folder_edits')
      .where('name', '=', name)
      .returning('manifest')
      .execute();
    const skill = await findSkill(write, name);
    if (skill !== undefined) {
      await releaseUnused(write, skill, removed);
      await dropUnusedSkill(write, skill);
    }
  });
}

function toEdit(row: Row): FolderEdit {
  return {
    name: row.name,
    base: row.base ?? undefined,
    manifest: row.manifest === null ? undefined : readManifest(row.manifest),
    checksum: row.checksum ?? undefined,
    category: readCategory(row.category),
    found: row.found_at,
    isDrafted: row.is_drafted !== 0,
    isOverwritten: row.is_overwritten !== 0,
  };
}
