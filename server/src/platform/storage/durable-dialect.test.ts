import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/write-files.ts';
import { DurableDialect, openLogFile, syncTogether } from './durable-dialect.ts';

/** A database whose sync to disk the test completes. */
function startDatabase() {
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const log = {
    sync: () =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ resolve, reject });
      }),
    close: () => Promise.resolve(),
  };
  const sqlite = new Libsql(':memory:');
  sqlite.exec('create table birds (name text)');
  const database = new Kysely<{ birds: { name: string } }>({
    dialect: new DurableDialect(sqlite, log),
  });
  const names = async () => (await database.selectFrom('birds').select('name').execute()).length;
  return { database, names, waiting };
}

test.each<[string, (database: Kysely<{ birds: { name: string } }>) => Promise<unknown>]>([
  ['a statement', (database) => database.insertInto('birds').values({ name: 'heron' }).execute()],
  [
    'a statement that gives rows',
    (database) =>
      database.insertInto('birds').values({ name: 'heron' }).returning('name').execute(),
  ],
  ['a statement as text', (database) => sql`insert into birds values ('heron')`.execute(database)],
  [
    'a transaction',
    (database) =>
      database.transaction().execute(async (transaction) => {
        await transaction.insertInto('birds').values({ name: 'heron' }).execute();
      }),
  ],
])('acknowledges %s once it is on the disk, while others can read', async (_, write) => {
  const { database, names, waiting } = startDatabase();
  let isDone = false;
  const writing = write(database).then(() => {
    isDone = true;
  });
  await expect.poll(() => waiting.length).toBe(1);
  expect(await names()).toBe(1);
  expect(isDone).toBe(false);
  waiting[0]?.resolve();
  await writing;
  expect(await names()).toBe(1);
  expect(waiting).toHaveLength(1);
});

test('rejects a write that the disk rejects', async () => {
  const { database, waiting } = startDatabase();
  const writing = database.insertInto('birds').values({ name: 'heron' }).execute();
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.reject(new Error('The disk has failed.'));
  await expect(writing).rejects.toThrow('The disk has failed.');
});

test('reports a log that cannot be synced, and ignores one that does not exist yet', async () => {
  const folder = await temporaryFolder();
  await expect(openLogFile(join(folder, 'none')).sync()).resolves.toBeUndefined();
  // A folder below a file cannot be opened.
  await writeFile(join(folder, 'file'), '');
  await expect(openLogFile(join(folder, 'file/x')).sync()).rejects.toMatchObject({
    code: 'not-writable',
    message: expect.stringContaining('the disk has failed'),
  });
});

test.runIf(process.platform === 'linux')('closes a log that is still being opened', async () => {
  const path = join(await temporaryFolder(), 'birds');
  await writeFile(`${path}-wal`, '');
  const log = openLogFile(path);
  const syncing = log.sync();
  await log.close();
  await syncing;
  await log.sync();
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map((each) =>
      readlink(`/proc/self/fd/${each}`).catch(() => ''),
    ),
  );
  expect(open).not.toContain(`${path}-wal`);
});

test('shares the next sync among writes that arrive while the disk is busy', async () => {
  const ends: (() => void)[] = [];
  const sync = syncTogether(() => new Promise<void>((resolve) => ends.push(resolve)));
  const first = sync();
  const later = [sync(), sync(), sync()];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await Promise.all(later);
  expect(ends).toHaveLength(2);
});
