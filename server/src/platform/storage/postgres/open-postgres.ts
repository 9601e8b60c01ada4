import { problem } from '@knowhow/shared/problem';
import { Kysely, type Logger, type Migration, Migrator, sql } from 'kysely';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import {
  describeOlderVersion,
  sqliteWordsMigration,
  takeOverFormerMigrations,
} from '../former-migrations.ts';
import type { Migrations } from '../module-tables.ts';
import type { Schema } from '../schema.ts';
import { connectionProblem, unusableDatabaseProblem } from './connection-problem.ts';
import { PortableDialect } from './portable-dialect.ts';
import { openPool } from './postgres-pool.ts';
import { shownAddress } from './shown-address.ts';

const minVersion = 15;

/**
 * Opens a PostgreSQL database and applies migrations, one process at a time. Throws `write-problem`
 * with a remedy if it cannot be used, `conflict` if it belongs to a version of Knowhow that is too old
 * or newer.
 */
export async function openPostgres(
  url: string,
  migrations: Migrations,
  log?: Logger,
): Promise<Kysely<Schema>> {
  // Migrations of large tables must not time out.
  const first = new Kysely<Schema>({ dialect: new PortableDialect(() => openPool(url, 'none')) });
  try {
    await checkServer(first, url);
    await migrate(first, url, migrations);
  } finally {
    await first.destroy();
  }
  return new Kysely<Schema>({
    dialect: new PortableDialect(() => openPool(url)),
    ...(log && { log }),
  });
}

interface Server {
  version: number;
  release: string;
  encoding: string;
  readOnly: string;
  /** Null if there is none. */
  schema: string | null;
  mayCreate: number | null;
  user: string;
}

async function checkServer(database: Kysely<Schema>, url: string): Promise<void> {
  const { rows } = await sql<Server>`
    select current_setting('server_version_num')::integer as version,
      current_setting('server_version') as release,
      current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') as "readOnly",
      current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as "mayCreate",
      current_user as user`
    .execute(database)
    .catch((error: unknown) => {
      throw connectionProblem(url, error instanceof DatabaseUnavailable ? error.cause : error);
    });
  const fault = rows[0] && faultOf(rows[0]);
  if (fault !== undefined) {
    throw unusableDatabaseProblem(url, fault);
  }
}

function faultOf({ version, release, encoding, readOnly, schema, mayCreate, user }: Server) {
  if (version < minVersion * 10_000) {
    return `it is PostgreSQL ${release}. Take ${minVersion} or newer`;
  }
  if (readOnly === 'on') {
    return 'it is read-only, as a replica is. Name the one that takes writes';
  }
  if (encoding !== 'UTF8') {
    return `its encoding is ${encoding}. Make it with encoding 'UTF8'`;
  }
  return schema === null || mayCreate !== 1
    ? `${user} may not make tables in it. Make ${user} its owner`
    : undefined;
}

async function migrate(
  database: Kysely<Schema>,
  url: string,
  migrations: Migrations,
): Promise<void> {
  const name = `The database ${shownAddress(url)}`;
  const wayOut = 'or name another database in DATABASE_URL and restore a backup.';
  const older = await takeOverFormerMigrations(database, migrations);
  if (older !== undefined) {
    throw problem('conflict', `${name} ${describeOlderVersion(older)}, ${wayOut}`);
  }
  const own: Record<string, Migration> = { [sqliteWordsMigration]: { up: addSqliteWords } };
  const provider = { getMigrations: () => Promise.resolve({ ...own, ...migrations }) };
  // Kysely serializes migrations with an advisory lock.
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error) {
    throw error instanceof Error && error.message.startsWith('corrupted migrations')
      ? problem('conflict', `${name} is of a newer version of Knowhow. Start that one, ${wayOut}`)
      : error;
  }
  await database.transaction().execute(fitColumns);
}

/**
 * Adapts columns from migrations to SQLite's semantics: texts compare by code point, whatever the
 * locale of the database, and numbers have 64 bits.
 */
async function fitColumns<Tables>(database: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ change: string }>`
    select format('alter table %I %s', table_name, string_agg(format(
      'alter column %I type %s', column_name, case data_type
        when 'integer' then 'bigint' when 'real' then 'double precision' else 'text collate "C"' end
    ), ', ')) as change
    from information_schema.columns
    where table_schema = current_schema() and is_identity = 'NO' and (
      data_type in ('integer', 'real') or (data_type = 'text' and collation_name is null)
    )
    group by table_name`.execute(database);
  for (const { change } of rows) {
    await sql.raw(change).execute(database);
  }
}

const statements = [
  // The tables use SQLite's name for the type.
  'create domain blob as bytea',
  // Returns a row for each value of a JSON array, as text.
  `create function json_each(list text) returns table (value text) language sql immutable rows 20
    as $$ select json_array_elements_text(list::json) $$`,
];

/** Defines the SQLite words that our tables and queries use. Runs before all other migrations. */
async function addSqliteWords(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
