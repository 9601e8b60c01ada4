import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { branchOwner } from '../../platform/storage/branch-owner.ts';
import { getSearchedTexts } from '../../platform/storage/get-searched-texts.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { BackupTable } from '../../platform/storage/module-tables.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { userRow } from '../identity/index.ts';
import { dataPath } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { exportTable } from './export-table.ts';
import { preserveSecondFactors } from './rows/preserve-second-factors.ts';
import { readRows } from './rows/read-rows.ts';

const batchSize = 100;

type Write = Transaction<Schema>;
type Row = Record<string, unknown>;
/** The compiler cannot infer the type of a table name that may be one of several. */
type AnyTable = Kysely<Record<string, Row>>;
type Rows = Pick<BackupSource, 'rows' | 'directory' | 'addsUsers'>;

/**
 * Replaces rows with those of a backup. Sessions and API keys survive unless the account is removed, disabled or has
 * a different password.
 */
export async function restoreRows(
  write: Write,
  source: Rows,
  tables: readonly BackupTable[],
): Promise<void> {
  const { rows } = source;
  if (rows.has('users')) {
    const replaced = tables.filter(({ part }) => part === 'users');
    await (source.addsUsers ? addUsers(write, source) : replaceUsers(write, source, replaced));
  }
  if (rows.has('skill_versions')) {
    const replaced = tables.filter(({ part }) => part === 'skill_versions');
    await clearTables(write, replaced);
    for (const table of replaced) {
      await insertAll(write, source, table);
    }
  }
  if (rows.has('conversations')) {
    const replaced = tables.filter(({ part }) => part === 'conversations');
    await getSearchedTexts(write).makeAgain(write, async () => {
      await deleteMessages(write);
      await clearTables(write, replaced);
      for (const table of replaced) {
        await insertAll(write, source, table);
      }
      await removeOrphanedContents(write);
      await deleteOrphanedBranches(write);
    });
  }
}

/** In batches that do not block the event loop. */
async function deleteMessages(write: Write): Promise<void> {
  for (let isMore = true; isMore; await yieldToEventLoop()) {
    const batch = write.selectFrom('messages').select('id').limit(batchSize);
    const { numDeletedRows } = await write
      .deleteFrom('messages')
      .where('id', 'in', batch)
      .executeTakeFirst();
    isMore = numDeletedRows > 0n;
  }
}

/** Deletes all rows of tables without parents. The others follow by `on delete cascade`. */
async function clearTables(write: Write, tables: readonly BackupTable[]): Promise<void> {
  const cleared = tables.filter(
    ({ parents, keepsRows }) => Object.keys(parents).length === 0 && !keepsRows,
  );
  for (const { name } of cleared) {
    await write.deleteFrom(name).execute();
  }
}

/** Deletes branches whose parent the backup lacks, because they changed while it was made. */
async function deleteOrphanedBranches(write: Write): Promise<void> {
  await write
    .deleteFrom('conversations')
    .where('owner', '=', branchOwner)
    .where('id', 'not in', (select) => select.selectFrom('lines').select('id'))
    .execute();
}

/** Writes the rows that a restore of these tables would replace into a snapshot. */
export async function keepRows(
  write: Write,
  tables: Iterable<BackupTable>,
  directory: string,
): Promise<void> {
  await makeFolder(join(directory, 'data'));
  for (const table of tables) {
    const file = await open(join(directory, dataPath(table.name)), 'wx', 0o600);
    try {
      for await (const lines of exportTable(write, table)) {
        await file.writeFile(lines);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

async function replaceUsers(
  write: Write,
  source: Rows,
  tables: readonly BackupTable[],
): Promise<void> {
  const before = await write
    .selectFrom('users')
    .select(['id', 'password_hash', 'identity'])
    .execute();
  const sessions = await write.selectFrom('sessions').selectAll().execute();
  const origins = await write.selectFrom('session_origins').selectAll().execute();
  const temporaryPasswords = await write.selectFrom('made_passwords').selectAll().execute();
  const keys = await write.selectFrom('api_keys').selectAll().execute();
  const restoreFactors = await preserveSecondFactors(write);
  const restoreMissing = await takeMissingTables(write, source, tables);
  await clearTables(write, tables);
  for (const table of tables) {
    await insertAll(write, source, table);
  }
  await restoreMissing();
  const known = new Map(before.map((user) => [user.id, user]));
  const users = await write.selectFrom('users').selectAll().where('disabled', '=', 0).execute();
  const same = users.filter(({ id, password_hash, identity }) => {
    const user = known.get(id);
    return user?.password_hash === password_hash && user.identity === identity;
  });
  const ids = new Set(same.map(({ id }) => id));
  const remainingSessions = sessions.filter(({ user_id }) => ids.has(user_id));
  for (const session of remainingSessions) {
    await write.insertInto('sessions').values(session).execute();
  }
  const keptIds = new Set(remainingSessions.map(({ id }) => id));
  for (const origin of origins.filter(({ session_id }) => keptIds.has(session_id))) {
    await write.insertInto('session_origins').values(origin).execute();
  }
  for (const key of keys.filter(({ user_id }) => ids.has(user_id))) {
    await write.insertInto('api_keys').values(key).execute();
  }
  await restoreFactors();
  // A temporary password must still be changed after a restore.
  for (const password of temporaryPasswords.filter(({ user_id }) => ids.has(user_id))) {
    await write.insertInto('made_passwords').values(password).execute();
  }
}

/**
 * Reads the rows of tables that an older backup lacks, before these are deleted with the users. The
 * returned function restores them for users that exist again.
 */
async function takeMissingTables(
  write: Write,
  { rows }: Rows,
  tables: readonly BackupTable[],
): Promise<() => Promise<void>> {
  const missing: { table: BackupTable; kept: Row[] }[] = [];
  for (const table of tables.filter(({ name }) => !rows.has(name))) {
    const kept = await (write as unknown as AnyTable).selectFrom(table.name).selectAll().execute();
    missing.push({ table, kept });
  }
  return async () => {
    for (const { table, kept } of missing) {
      for (let at = 0; at < kept.length; at += batchSize) {
        await insertRows(write, table, kept.slice(at, at + batchSize));
      }
    }
  };
}

/**
 * A user whose name exists already replaces that account's data. If the password differs, its sessions and API keys
 * are revoked.
 */
async function addUsers(write: Write, { directory }: Rows): Promise<void> {
  for await (const users of readRows(join(directory, dataPath('users')), userRow)) {
    for (const user of users) {
      const { username, name, password_hash, groups, disabled } = user;
      const known = write.selectFrom('users').select('id').where('username', '=', username);
      const changed = known
        .where('identity', 'is', null)
        .where('password_hash', 'is distinct from', password_hash);
      for (const table of ['sessions', 'api_keys'] as const) {
        await write.deleteFrom(table).where('user_id', 'in', changed).execute();
      }
      await write
        .insertInto('users')
        .values(user)
        .onConflict((conflict) =>
          conflict
            .column('username')
            .doUpdateSet({ name, password_hash, groups, disabled })
            // Accounts of an identity provider must not get a password through a name collision.
            .where('users.identity', 'is', null),
        )
        .execute();
    }
  }
}

async function insertAll(
  write: Write,
  { directory, rows }: Rows,
  table: BackupTable,
): Promise<void> {
  if (!rows.has(table.name)) {
    return;
  }
  for await (const found of readRows(join(directory, dataPath(table.name)), table.row)) {
    await insertRows(write, table, found as Row[]);
  }
}

async function insertRows(write: Write, table: BackupTable, rows: readonly Row[]): Promise<void> {
  const wanted = await dropOrphans(write, table, rows);
  if (wanted.length > 0) {
    await (write as unknown as AnyTable)
      .insertInto(table.name)
      .values(wanted)
      .$if(table.keepsRows === true, (insert) =>
        insert.onConflict((conflict) => conflict.doNothing()),
      )
      .execute();
  }
}

/** Removes contents of files whose messages were deleted while the backup was made. */
async function removeOrphanedContents(write: Write): Promise<void> {
  await sql`delete from file_contents
    where sha256 not in (select sha256 from files)
      and sha256 not in (select text from files where text is not null)`.execute(write);
}

/** Drops rows without parent: conversations and messages may change while a backup is made. */
async function dropOrphans(
  write: Write,
  { parents }: BackupTable,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  let remaining = rows;
  for (const [column, table] of Object.entries(parents)) {
    remaining = await filterByParent(write, remaining, { column, table });
  }
  return remaining;
}

interface ForeignKey {
  column: string;
  table: BackupTable['parents'][string];
}

/** Filters rows by a foreign key: keeps those without an ID, or with an existing one. */
async function filterByParent(
  write: Write,
  rows: readonly Row[],
  { column, table }: ForeignKey,
): Promise<readonly Row[]> {
  const ids = [...new Set(rows.map((row) => row[column]))].filter((id) => typeof id === 'string');
  if (ids.length === 0) {
    return rows;
  }
  const found = await write.selectFrom(table).select('id').where('id', 'in', inList(ids)).execute();
  const known = new Set<unknown>(found.map(({ id }) => id));
  return rows.filter((row) => typeof row[column] !== 'string' || known.has(row[column]));
}
