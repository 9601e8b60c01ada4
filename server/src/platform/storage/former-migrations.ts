import { type Kysely, sql } from 'kysely';
import { acquireTransactionLock } from './acquire-transaction-lock.ts';
import { isPostgres } from './is-postgres.ts';
import type { Migrations } from './module-tables.ts';

/**
 * The migrations that the first one of each module has replaced: the schema after the last of them is
 * the same (docs/decisions/0352-one-schema-per-module.md). Databases of this schema are taken over,
 * and backups of each of them can be restored.
 */
export const formerMigrations: readonly string[] = [
  '0001-users',
  '0002-conversations',
  '0003-activation-arguments',
  '0004-skill-history',
  '0005-conversation-search',
  '0006-sign-in',
  '0007-skills-off',
  '0008-index-later',
  '0009-shared-state',
  '0010-records',
  '0011-notes-in-order',
  '0012-named-skills',
  '0013-traces',
  '0014-analytics',
  '0015-trigger-runs',
  '0017-rankings',
  '0018-tools',
  '0019-tool-files',
  '0020-mcp-tools',
  '0021-connections',
  '0022-skill-secrets',
  '0023-api-keys',
  '0024-files',
  '0026-pinned-and-archived',
  '0027-lines',
  '0028-favourites',
  '0031-folders',
  '0034-shares',
  '0035-imports',
  '0037-preferences',
  '0038-app-answers',
  '0039-user-prompts',
  '0043-lines-beside',
  '0045-identities',
  '0047-second-factors',
  '0048-service-keys',
  '0049-invitations',
  '0052-session-origins',
  '0053-search-lines',
  '0054-nodes',
  '0055-shared-contents',
  '0056-node-backends',
  '0058-skill-assignments',
  '0059-creators',
];

/** PostgreSQL has this migration of its own before all others. */
export const sqliteWordsMigration = '0000-sqlite-words';

/** The last migration of those that have replaced them. */
export const squashedEnd = '0068-platform';

/**
 * Replaces the names of former migrations in a database that has them all. Changes nothing in any
 * other database.
 *
 * @returns the last migration of a database that lacks some of them, which cannot be migrated
 */
export async function takeOverFormerMigrations<Tables>(
  database: Kysely<Tables>,
  migrations: Migrations,
): Promise<string | undefined> {
  if (!(await hasMigrationTable(database))) {
    return undefined;
  }
  return database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, 'take over former migrations');
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(write);
    const applied = rows.map(({ name }) => name).filter((name) => name !== sqliteWordsMigration);
    if (applied.length === 0 || applied.some((name) => !formerMigrations.includes(name))) {
      return undefined;
    }
    if (applied.length < formerMigrations.length) {
      return applied.sort().at(-1);
    }
    const now = new Date().toISOString();
    for (const name of formerMigrations) {
      await sql`delete from kysely_migration where name = ${name}`.execute(write);
    }
    for (const name of Object.keys(migrations).filter((each) => each <= squashedEnd)) {
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${now})`.execute(
        write,
      );
    }
    if (isPostgres(write)) {
      await sql`alter table activations rename constraint activation_log_pkey to activations_pkey`.execute(
        write,
      );
      await sql`alter table activations rename constraint activation_log_conversation_id_fkey
        to activations_conversation_id_fkey`.execute(write);
    }
    return undefined;
  });
}

async function hasMigrationTable<Tables>(database: Kysely<Tables>): Promise<boolean> {
  const { rows } = await (isPostgres(database)
    ? sql`select 1 where to_regclass('kysely_migration') is not null`
    : sql`select 1 from sqlite_master where name = 'kysely_migration'`
  ).execute(database);
  return rows.length > 0;
}

/** The message about a database that lacks former migrations. */
export function describeOlderVersion(lastMigration: string): string {
  return `is of a version of Knowhow that is too old: its last migration is ${lastMigration}, and this version upgrades from ${formerMigrations.at(-1)}. Start a version with that migration once, then this one`;
}
