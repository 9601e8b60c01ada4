import type { Kysely } from 'kysely';
import { runStatements } from '../../../platform/storage/run-statements.ts';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
    /** Edits of skill folders that are not published, at most one for each skill. Not part of backups. */
    skill_folder_edits: {
      /** The name of the skill: a restore of a backup replaces ids. */
      name: string;
      /** Number of the version that the folder held before; null for a new skill. */
      base: number | null;
      /** JSON, see `writeManifest`. Null for a folder that was removed. */
      manifest: string | null;
      /** Hex; with executable bits. Null for a folder that was removed. */
      checksum: string | null;
      /** The one in `SKILL.md`, empty for none. Null for a folder that was removed. */
      category: string | null;
      found_at: string;
      /** 1 if the draft of the skill contains it. */
      is_drafted: number;
      /** 1 if the server has overwritten the folder since. */
      is_overwritten: number;
    };
    /** Folders that a write in progress has changed. Leftovers are from a crash. Not part of backups. */
    skill_folder_writes: {
      /** Relative to the folder of local skills. */
      folder: string;
      /** Hex; the files that are written. Null for a deletion. */
      checksum: string | null;
    };
    /** One row while the folders are reviewed. Not part of backups. */
    skill_folder_review: {
      /** `on`, or `restoring` while a restore replaces folders. */
      state: string;
    };
  }
}

/** Creates the tables for the review of edits in the file system. */
export async function createFolderTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, [
    `create table skill_folder_edits (
      name text not null,
      base integer,
      manifest text,
      checksum text,
      category text,
      found_at text not null,
      is_drafted integer not null,
      is_overwritten integer not null,
      constraint skill_folder_edits_key primary key (name)
    )`,
    `create table skill_folder_writes (
      folder text not null,
      checksum text,
      constraint skill_folder_writes_key primary key (folder)
    )`,
    `create table skill_folder_review (
      state text not null,
      constraint skill_folder_review_key primary key (state)
    )`,
  ]);
}
