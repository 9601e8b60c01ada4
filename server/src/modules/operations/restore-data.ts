import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { getSearchedTexts } from '../../platform/storage/get-searched-texts.ts';
import { inList } from '../../platform/storage/in-list.ts';
import { lineOwner } from '../../platform/storage/migrations/create-lines.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { BackupSource } from './backup-source.ts';
import { conversationTables, type DataTable, dataPath } from './data-tables.ts';
import { exportTable } from './export-data.ts';
import { readRows } from './rows/read-rows.ts';
import { takeFactors } from './rows/take-factors.ts';

const batchSize = 100;

type Write = Transaction<Schema>;
type Rows = Pick<BackupSource, 'rows' | 'directory' | 'addsUsers'>;

/**
 * Replaces rows with those of a backup. Sessions and API keys survive unless the account is removed, disabled or has
 * a different password.
 */
export async function restoreRows(write: Write, source: Rows): Promise<void> {
  const { rows } = source;
  if (rows.has('users')) {
    await (source.addsUsers ? addUsers(write, source) : replaceUsers(write, source));
  }
  if (rows.has('conversations')) {
    await getSearchedTexts(write).makeAgain(write, async () => {
      await deleteMessages(write);
      await write.deleteFrom('conversations').execute();
      await write.deleteFrom('skill_texts').execute();
      for (const table of conversationTables) {
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

/** Deletes branches whose parent the backup lacks, because they changed while it was made. */
async function deleteOrphanedBranches(write: Write): Promise<void> {
  await write
    .deleteFrom('conversations')
    .where('owner', '=', lineOwner)
    .where('id', 'not in', (select) => select.selectFrom('lines').select('id'))
    .execute();
}

/** Writes the rows that a restore of these tables would replace into a snapshot. */
export async function keepRows(
  write: Write,
  tables: Iterable<DataTable>,
  directory: string,
): Promise<void> {
  await makeFolder(join(directory, 'data'));
  for (const table of tables) {
    const file = await open(join(directory, dataPath(table)), 'wx', 0o600);
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

async function replaceUsers(write: Write, source: Rows): Promise<void> {
  const before = await write
    .selectFrom('users')
    .select(['id', 'password_hash', 'identity'])
    .execute();
  const sessions = await write.selectFrom('sessions').selectAll().execute();
  const origins = await write.selectFrom('session_origins').selectAll().execute();
  const temporaryPasswords = await write.selectFrom('made_passwords').selectAll().execute();
  const keys = await write.selectFrom('api_keys').selectAll().execute();
  const restoreFactors = await takeFactors(write);
  const hasPrompts = source.rows.has('user_prompts');
  const prompts = hasPrompts ? [] : await write.selectFrom('user_prompts').selectAll().execute();
  await write.deleteFrom('users').execute();
  await insertAll(write, source, 'users');
  await insertAll(write, source, 'user_prompts');
  // Older backups have no prompts; existing ones are kept for remaining users.
  for (const prompt of await filterByParent(write, prompts, 'users', getUserId)) {
    await write
      .insertInto('user_prompts')
      .values(prompt as Schema['user_prompts'])
      .execute();
  }
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
 * A user whose name exists already replaces that account's data. If the password differs, its sessions and API keys
 * are revoked.
 */
async function addUsers(write: Write, { directory }: Rows): Promise<void> {
  for await (const users of readRows(join(directory, dataPath('users')), 'users')) {
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

async function insertAll(write: Write, { directory, rows }: Rows, table: DataTable): Promise<void> {
  if (!rows.has(table)) {
    return;
  }
  for await (const found of readRows(join(directory, dataPath(table)), table)) {
    const wanted = await dropOrphans(write, table, found);
    if (wanted.length > 0) {
      // The compiler cannot infer the type of a table name that may be one of several.
      await write
        .insertInto(table as 'users')
        .values(wanted as Schema['users'][])
        // Contents of unsent files are kept and may be the same.
        .$if(table === 'file_contents', (insert) =>
          insert.onConflict((conflict) => conflict.doNothing()),
        )
        .execute();
    }
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
  table: DataTable,
  rows: Schema[DataTable][],
): Promise<Schema[DataTable][]> {
  if (table === 'user_prompts') {
    return filterByParent(write, rows, 'users', getUserId);
  }
  const inConversation = await filterByParent(write, rows, 'conversations', (row) =>
    'conversation_id' in row ? (row.conversation_id ?? undefined) : undefined,
  );
  if (table === 'lines') {
    return filterByParent(write, inConversation, 'conversations', (row) =>
      'ends' in row ? row.id : undefined,
    );
  }
  return messageTables.has(table)
    ? filterByParent(write, inConversation, 'messages', (row) =>
        'message_id' in row ? (row.message_id ?? undefined) : undefined,
      )
    : inConversation;
}

function getUserId(row: Schema[DataTable]): string | undefined {
  return 'user_id' in row ? row.user_id : undefined;
}

/** Tables whose rows each belong to a message. */
const messageTables: ReadonlySet<DataTable> = new Set([
  'tool_results',
  'vendor_states',
  'compactions',
  'feedback',
  'files',
]);

/** Filters rows by a foreign key: keeps those without an ID, or with an existing one. */
async function filterByParent(
  write: Write,
  rows: Schema[DataTable][],
  table: 'conversations' | 'messages' | 'users',
  getId: (row: Schema[DataTable]) => string | undefined,
): Promise<Schema[DataTable][]> {
  const ids = [...new Set(rows.flatMap((row) => getId(row) ?? []))];
  if (ids.length === 0) {
    return rows;
  }
  const found = await write.selectFrom(table).select('id').where('id', 'in', inList(ids)).execute();
  const known = new Set(found.map(({ id }) => id));
  return rows.filter((row) => {
    const id = getId(row);
    return id === undefined || known.has(id);
  });
}
