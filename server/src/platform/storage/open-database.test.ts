import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { tables } from '../../tables.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { openDatabase } from './open-database.ts';

test('refuses to open the database of a newer version and explains why', async () => {
  const folder = await temporaryFolder();
  const database = await openDatabase({ dataDirectory: folder }, tables.migrations);
  await sql`insert into kysely_migration values ('9999-later', '2030')`.execute(database);
  await database.destroy();
  await expect(openDatabase({ dataDirectory: folder }, tables.migrations)).rejects.toThrow(
    /is of a newer version of Knowhow.*-wal, -shm/,
  );
});

test('migrates all tables in one transaction or not at all', async () => {
  const folder = await temporaryFolder();
  const other = new Libsql(join(folder, 'knowhow.sqlite'));
  other.exec('create table audit (text text)');
  await expect(openDatabase({ dataDirectory: folder }, tables.migrations)).rejects.toThrow(
    /audit already exists|"audit" already exists/,
  );
  const created = other.prepare("select name from sqlite_master where type = 'table'").all();
  expect(JSON.stringify(created)).not.toContain('users');
  other.exec('drop table audit');
  other.close();
  await (await openDatabase({ dataDirectory: folder }, tables.migrations)).destroy();
});

test('leaves everything in one file when it is closed', async () => {
  const folder = await temporaryFolder();
  const database = await openDatabase({ dataDirectory: folder }, tables.migrations);
  await sql`create table large (text text)`.execute(database);
  await sql`insert into large values (${'x'.repeat(100_000)})`.execute(database);
  await database.destroy();
  expect((await stat(join(folder, 'knowhow.sqlite'))).size).toBeGreaterThan(100_000);
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('-wal'))) {
    expect((await stat(join(folder, name))).size).toBe(0);
  }
});
