import { Kysely } from 'kysely';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { DurableDialect } from './durable-dialect.ts';
import { groupWrites } from './group-writes.ts';
import type { Schema } from './schema.ts';

const session = (id: string, user = 'ann') => ({ id, user_id: user, expires_at: '2030-01-01' });

test('commits concurrent writes together, and a failing one does not affect the others', async () => {
  const database = await openTestDatabase(await temporaryFolder());
  const user = { username: 'ann', name: 'Ann', password_hash: null, groups: '[]', disabled: 0 };
  await database
    .insertInto('users')
    .values({ id: 'ann', ...user, created_at: '2026-01-01' })
    .execute();
  const write = groupWrites(database);
  const results = await Promise.allSettled(
    [session('1'), session('2', 'nobody'), session('3')].map((row) =>
      write(async (transaction) => {
        await transaction.insertInto('sessions').values(row).execute();
      }),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const rows = await database.selectFrom('sessions').select('id').orderBy('id').execute();
  expect(rows).toEqual([{ id: '1' }, { id: '3' }]);
  await database.destroy();
});

test('rejects each write if the disk fails at the commit, without writing twice', async () => {
  const sqlite = new Libsql(':memory:');
  sqlite.exec('create table sessions (id text, user_id text, expires_at text)');
  const database = new Kysely<Schema>({
    dialect: new DurableDialect(sqlite, {
      sync: () => Promise.reject(new Error('The disk has failed.')),
      close: () => Promise.resolve(),
    }),
  });
  const write = groupWrites(database);
  const results = await Promise.allSettled(
    [session('1'), session('2')].map((row) =>
      write(async (transaction) => {
        await transaction.insertInto('sessions').values(row).execute();
      }),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const rows = await database.selectFrom('sessions').select('id').orderBy('id').execute();
  expect(rows).toEqual([{ id: '1' }, { id: '2' }]);
  await database.destroy();
});
