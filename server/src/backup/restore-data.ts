import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { makeFolder } from '../lib/durable-fs.ts';
import { inList } from '../storage/in-list.ts';
import { lineOwner } from '../storage/migrations/create-lines.ts';
import type { Schema } from '../storage/schema.ts';
import { searchedTextsOf } from '../storage/searched-texts-of.ts';
import type { BackupSource } from './backup-source.ts';
import { conversationTables, type DataTable, dataPath } from './data-tables.ts';
import { exportTable } from './export-data.ts';
import { readRows } from './rows/read-rows.ts';
import { takeFactors } from './rows/take-factors.ts';

const messagesAtOnce = 100;

type Write = Transaction<Schema>;
type Rows = Pick<BackupSource, 'rows' | 'directory' | 'addsUsers'>;

/**
 * Brings the rows of a backup in: what it has takes the place of what is there. Who is signed in, or
 * has a key, stays so, unless the account has gone, is disabled or has another password.
 */
export async function restoreRows(write: Write, source: Rows): Promise<void> {
  const { rows } = source;
  if (rows.has('users')) {
    await (source.addsUsers ? addUsers(write, source) : replaceUsers(write, source));
  }
  if (rows.has('conversations')) {
    await searchedTextsOf(write).makeAgain(write, async () => {
      await deleteMessages(write);
      await write.deleteFrom('conversations').execute();
      await write.deleteFrom('skill_texts').execute();
      for (const table of conversationTables) {
        await insertAll(write, source, table);
      }
      await removeLeftContents(write);
      await deleteLost(write);
    });
  }
}

/** In slices that leave the event loop free. */
async function deleteMessages(write: Write): Promise<void> {
  for (let isMore = true; isMore; await yieldToEventLoop()) {
    const some = write.selectFrom('messages').select('id').limit(messagesAtOnce);
    const { numDeletedRows } = await write
      .deleteFrom('messages')
      .where('id', 'in', some)
      .executeTakeFirst();
    isMore = numDeletedRows > 0n;
  }
}

/** Lines of which the backup does not say where they belong: one came or went while it was made. */
async function deleteLost(write: Write): Promise<void> {
  await write
    .deleteFrom('conversations')
    .where('owner', '=', lineOwner)
    .where('id', 'not in', (select) => select.selectFrom('lines').select('id'))
    .execute();
}

/** Writes the rows that a restore of these tables would replace, as a backup has them. */
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
  const made = await write.selectFrom('made_passwords').selectAll().execute();
  const keys = await write.selectFrom('api_keys').selectAll().execute();
  const putFactorsBack = await takeFactors(write);
  const hasPrompts = source.rows.has('user_prompts');
  const prompts = hasPrompts ? [] : await write.selectFrom('user_prompts').selectAll().execute();
  await write.deleteFrom('users').execute();
  await insertAll(write, source, 'users');
  await insertAll(write, source, 'user_prompts');
  // A backup of before has none: what is there stays with whoever is still there.
  for (const prompt of await withKnown(write, prompts, 'users', userOf)) {
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
  const kept = sessions.filter(({ user_id }) => ids.has(user_id));
  for (const session of kept) {
    await write.insertInto('sessions').values(session).execute();
  }
  const keptIds = new Set(kept.map(({ id }) => id));
  for (const origin of origins.filter(({ session_id }) => keptIds.has(session_id))) {
    await write.insertInto('session_origins').values(origin).execute();
  }
  for (const key of keys.filter(({ user_id }) => ids.has(user_id))) {
    await write.insertInto('api_keys').values(key).execute();
  }
  await putFactorsBack();
  // A made-up password does not become a chosen one by that.
  for (const password of made.filter(({ user_id }) => ids.has(user_id))) {
    await write.insertInto('made_passwords').values(password).execute();
  }
}

/** Those with a name that is taken become that user, who signs in again where the password is another. */
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
            // Who signs in elsewhere gets no password by having the same name.
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
    const wanted = await belonging(write, table, found);
    if (wanted.length > 0) {
      // The compiler does not follow a name that may be one of several tables'.
      await write
        .insertInto(table as 'users')
        .values(wanted as Schema['users'][])
        // What nobody has sent yet may hold the same.
        .$if(table === 'file_contents', (insert) =>
          insert.onConflict((conflict) => conflict.doNothing()),
        )
        .execute();
    }
  }
}

/** Of files whose messages had gone while the backup was made. */
async function removeLeftContents(write: Write): Promise<void> {
  await sql`delete from file_contents
    where sha256 not in (select sha256 from files)
      and sha256 not in (select text from files where text is not null)`.execute(write);
}

/** While a backup is made, conversations and messages may come or go: what belongs to none is left out. */
async function belonging(
  write: Write,
  table: DataTable,
  rows: Schema[DataTable][],
): Promise<Schema[DataTable][]> {
  if (table === 'user_prompts') {
    return withKnown(write, rows, 'users', userOf);
  }
  const inConversation = await withKnown(write, rows, 'conversations', (row) =>
    'conversation_id' in row ? (row.conversation_id ?? undefined) : undefined,
  );
  if (table === 'lines') {
    return withKnown(write, inConversation, 'conversations', (row) =>
      'ends' in row ? row.id : undefined,
    );
  }
  return ofMessages.has(table)
    ? withKnown(write, inConversation, 'messages', (row) =>
        'message_id' in row ? (row.message_id ?? undefined) : undefined,
      )
    : inConversation;
}

function userOf(row: Schema[DataTable]): string | undefined {
  return 'user_id' in row ? row.user_id : undefined;
}

/** The tables of which each row needs its message. */
const ofMessages: ReadonlySet<DataTable> = new Set([
  'tool_results',
  'vendor_states',
  'compactions',
  'feedback',
  'files',
]);

/** Those without an id, or with one that is in a table. */
async function withKnown(
  write: Write,
  rows: Schema[DataTable][],
  table: 'conversations' | 'messages' | 'users',
  idOf: (row: Schema[DataTable]) => string | undefined,
): Promise<Schema[DataTable][]> {
  const ids = [...new Set(rows.flatMap((row) => idOf(row) ?? []))];
  if (ids.length === 0) {
    return rows;
  }
  const found = await write.selectFrom(table).select('id').where('id', 'in', inList(ids)).execute();
  const known = new Set(found.map(({ id }) => id));
  return rows.filter((row) => {
    const id = idOf(row);
    return id === undefined || known.has(id);
  });
}
