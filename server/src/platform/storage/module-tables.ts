import type { Kysely, Migration } from 'kysely';
import type { z } from 'zod';
import type { Schema } from './schema.ts';

/** Migrations by name, such as `0070-skills-labels`: a number, the module, and what it changes. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The tables of a module: types, migrations and backup rows. */
export interface ModuleTables {
  /** Applied ones are never edited. */
  migrations: Migrations;
  /** Tables that a backup contains, parents first; none if omitted. */
  backup?: readonly BackupTable[];
}

/** A table that a backup contains. Create it with `backupTable`. */
export interface BackupTable {
  name: keyof Schema;
  /** A restore of users, conversations or versions of skills replaces it. */
  part: 'users' | 'conversations' | 'skill_versions';
  /** The primary key: one or two columns. */
  key: readonly string[];
  /**
   * Columns that a plan checks for duplicates. Large tables have none, to save memory; the restore
   * finds their duplicates anyway.
   */
  unique: readonly string[];
  /** Parses a row of a backup. Columns that older backups lack have defaults. */
  row: z.ZodType;
  /**
   * Tables that columns refer to, with `on delete cascade`. A restore drops rows whose parent is
   * missing. It clears a table without parents first.
   */
  parents: Readonly<Record<string, 'users' | 'conversations' | 'messages'>>;
  /** A restore keeps existing rows, and prefers them. */
  keepsRows?: boolean;
  /** Exports only rows in which these columns are not null. */
  exportedIf?: readonly string[];
  /** Exports the rows as JSON lines in another way. */
  exportRows?: (database: Kysely<Schema>) => AsyncGenerator<string>;
}

type Column<Name extends keyof Schema> = keyof Schema[Name] & string;

/** Describes a table of a backup. The compiler checks that columns exist and that rows fit the table. */
export function backupTable<Name extends keyof Schema>(
  name: Name,
  description: Omit<BackupTable, 'name' | 'key' | 'unique' | 'row' | 'parents' | 'exportedIf'> & {
    key: readonly Column<Name>[];
    unique?: readonly Column<Name>[];
    row: z.ZodType<Schema[Name]>;
    parents?: Partial<Record<Column<Name>, BackupTable['parents'][string]>>;
    exportedIf?: readonly Column<Name>[];
  },
): BackupTable {
  const parents = (description.parents ?? {}) as BackupTable['parents'];
  return { unique: [], ...description, name, parents };
}

/** The tables of all modules. */
export interface TableList {
  migrations: Migrations;
  /** In the order in which a restore can fill them. */
  backup: readonly BackupTable[];
}

/** Joins the tables of modules. A module comes after those that its tables refer to. */
export function joinTables(modules: readonly ModuleTables[]): TableList {
  return {
    migrations: Object.assign({}, ...modules.map(({ migrations }) => migrations)),
    backup: modules.flatMap(({ backup = [] }) => backup),
  };
}

/** The schema version: the name of the last migration. */
export function newestMigration(migrations: Migrations): string {
  return Object.keys(migrations).sort().at(-1) ?? '';
}
