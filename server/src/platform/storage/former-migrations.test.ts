import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { tables } from '../../tables.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { formerUser, putFormerDatabase } from '../../testing/put-former-database.ts';
import { defaultFiles, startTestServer } from '../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../testing/take-turn.ts';
import { onPostgres } from '../../testing/test-database.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { type Database, openDatabase } from './open-database.ts';

test('a database with the former migrations keeps users, conversations and files', async () => {
  const folder = await temporaryFolder();
  await putFormerDatabase(folder);
  const server = await startTestServer({ folder, files: defaultFiles });
  onTestFinished(server.close);
  const ann = server.visitor();
  const { conversationId, ...json } = formerUser;

  expect((await ann('/api/auth/login', { json })).status).toBe(200);

  const { messages, activeSkills } = await readConversation(ann, conversationId);
  expect(messages.map(({ content }) => content)).toEqual([
    'Zeppelins fly',
    'Hello.',
    'And do kites?',
    'Hello.',
  ]);
  expect(activeSkills.map(({ name }) => name)).toEqual(['meeting-notes']);
  const [question] = messages;
  const [file] = question?.role === 'user' ? (question.attachments ?? []) : [];
  expect(await (await ann(`/api/files/${file?.id}`)).text()).toBe('The plan.');
  const found = await ann('/api/conversations?query=balloons');
  expect(await found.json()).toMatchObject({ items: [{ id: conversationId }] });
  expect((await takeTurn(ann, { conversationId, message: 'Go on' })).text).toBe('Hello.');
});

test('a database with the former migrations gets the schema of a new one', async () => {
  const fresh = await openTestDatabase(await temporaryFolder());
  onTestFinished(() => fresh.destroy());
  const folder = await temporaryFolder();
  const place = await putFormerDatabase(folder);
  const database = await openDatabase(place, tables.migrations);
  onTestFinished(() => database.destroy());

  expect(await readSchema(database)).toEqual(await readSchema(fresh));
  expect(await readMigrations(database)).toEqual(await readMigrations(fresh));
  const counts = { users: 2, user_prompts: 1, conversations: 2, messages: 6, activations: 2 };
  const others = { lines: 1, files: 1, file_contents: 1, feedback: 1, api_keys: 1, shares: 1 };
  for (const [table, count] of Object.entries({ ...counts, ...others })) {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from ${sql.table(table)}`.execute(database);
    expect([table, Number(rows[0]?.n)]).toEqual([table, count]);
  }
});

test.each([
  [
    'lacks a former migration',
    "delete from kysely_migration where name >= '0053'",
    /is of a version of Knowhow that is too old: its last migration is 0052-session-origins, and this version upgrades from 0059-creators\. Start a version with that migration once, then this one, or /,
  ],
  [
    'has an unknown migration',
    "insert into kysely_migration values ('0059-other', '2030')",
    /is of a newer version of Knowhow\. Start that one, or /,
  ],
])('a database that %s is refused and not changed', async (_, change, message) => {
  const place = await putFormerDatabase(await temporaryFolder(), change);

  await expect(openDatabase(place, tables.migrations)).rejects.toThrow(message);

  await expect(openDatabase(place, tables.migrations)).rejects.toThrow(message);
});

/** Names of applied migrations, in order. */
async function readMigrations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(database);
  return rows.map(({ name }) => name);
}

/** All that describes the tables, one line each. */
async function readSchema(database: Database): Promise<string[]> {
  const lines: string[] = [];
  for (const query of onPostgres() ? postgresSchema : sqliteSchema) {
    const { rows } = await sql.raw<Record<string, unknown>>(query).execute(database);
    lines.push(...rows.map((row) => JSON.stringify(row).replace(/(?:\\n|\s)+/g, ' ')));
  }
  expect(lines.length).toBeGreaterThan(300);
  return lines.sort();
}

const sqliteSchema = [
  `select t.name as relation, c.* from pragma_table_list t join pragma_table_xinfo(t.name) c
    where t.schema = 'main'`,
  `select t.name as relation, k.* from pragma_table_list t join pragma_foreign_key_list(t.name) k`,
  `select t.name as relation, l.name, l."unique", l.origin, l.partial, i.seqno, i.name as field, i."desc", i.coll
    from pragma_table_list t join pragma_index_list(t.name) l join pragma_index_xinfo(l.name) i
    where i.key`,
  `select name, substr(sql, instr(sql, ' where ')) as condition from sqlite_master
    where type = 'index' and sql like '% where %'`,
  `select type, name, tbl_name, lower(sql) as sql from sqlite_master where type in ('trigger', 'view')`,
  `select name, sql from sqlite_master where sql like '%virtual%'`,
];

const postgresSchema = [
  `select c.relname, c.relkind, c.relpersistence, a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnum, a.attnotnull, a.attidentity, l.collname, pg_get_expr(d.adbin, d.adrelid) as standard
    from pg_class c join pg_attribute a on a.attrelid = c.oid
      left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`,
  `select conrelid::regclass::text as relation, conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace`,
  `select pg_get_indexdef(indexrelid) from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  'select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal',
  `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
];
