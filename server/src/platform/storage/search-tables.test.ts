import { join } from 'node:path';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { tables } from '../../tables.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { getSearchedTexts } from './get-searched-texts.ts';
import { openDatabase } from './open-database.ts';
import { findTexts } from './search-texts.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A database with rows that another program wrote. */
async function newDatabase(fill: (sqlite: Libsql.Database) => void): Promise<string> {
  const dataDirectory = await temporaryFolder();
  await (await openDatabase({ dataDirectory }, tables.migrations)).destroy();
  const sqlite = new Libsql(join(dataDirectory, 'knowhow.sqlite'));
  fill(sqlite);
  sqlite.close();
  return dataDirectory;
}

/** Builds the index of all texts, as a restore does. */
async function rebuildIndex(dataDirectory: string): Promise<void> {
  const database = await openDatabase({ dataDirectory }, tables.migrations);
  await database.transaction().execute(async (write) => {
    await getSearchedTexts(write).makeAgain(write, async () => undefined);
  });
  await database.destroy();
}

function addConversation(sqlite: Libsql.Database, number: number, owner: string): void {
  sqlite
    .prepare(
      `insert into conversations (id, owner, app_id, model, title, created_at, updated_at)
       values (?, ?, 'chat', 'm', 'Title', '2026', '2026')`,
    )
    .run(id(number), owner);
}

function addMessage(sqlite: Libsql.Database, [number, conversation]: number[], text: string): void {
  sqlite
    .prepare(
      `insert into messages (id, conversation_id, position, role, content, status, details, created_at)
       values (?, ?, ?, 'user', ?, 'complete', '{}', '2026')`,
    )
    .run(id(number ?? 0), id(conversation ?? 0), number, text);
}

async function countFound(folder: string, owner: string, word: string): Promise<number> {
  const database = await openDatabase({ dataDirectory: folder }, tables.migrations);
  let count = 0;
  for await (const texts of findTexts(database, owner, [word])) {
    count += texts.length;
  }
  await database.destroy();
  return count;
}

test('finds all texts after the index was rebuilt', async () => {
  const folder = await newDatabase((sqlite) => {
    sqlite.exec('begin');
    for (let at = 0; at < 700; at += 1) {
      addConversation(sqlite, at, at % 2 ? 'ann' : 'bob');
      addMessage(sqlite, [at, at], at % 7 ? 'plans' : 'x'.repeat(50_000));
    }
    sqlite.exec('commit');
  });
  await rebuildIndex(folder);
  expect(await countFound(folder, 'ann', 'plans')).toBe(300);
  expect(await countFound(folder, 'bob', 'xxx')).toBe(50);
  expect(await countFound(folder, 'bob', 'tit')).toBe(350);
  expect(await countFound(folder, 'eve', 'tit')).toBe(0);
});

test('finds archived branches after the index was rebuilt', async () => {
  const folder = await newDatabase((sqlite) => {
    for (const [number, owner] of ['ann', '-', '-'].entries()) {
      addConversation(sqlite, number, owner);
      addMessage(sqlite, [number, number], `plans ${number}`);
    }
    for (const number of [1, 2]) {
      sqlite
        .prepare(`insert into lines (id, conversation_id, position, ends, bytes, created_at)
          values (?, ?, 0, '[]', 0, '2026')`)
        .run(id(number), id(number - 1));
    }
  });
  await rebuildIndex(folder);
  const database = await openDatabase({ dataDirectory: folder }, tables.migrations);
  const found = [];
  for await (const texts of findTexts(database, 'ann', ['plans'])) {
    found.push(...texts.map(({ conversationId, messageId }) => [conversationId, messageId]));
  }
  await database.destroy();
  expect(found.sort()).toEqual([0, 1, 2].map((number) => [id(0), id(number)]));
});

test('keeps the search index up to date with writes of other programs', async () => {
  const folder = await newDatabase(() => undefined);
  const other = new Libsql(join(folder, 'knowhow.sqlite'));
  other.exec('pragma foreign_keys=on');
  addConversation(other, 1, 'ann');
  addMessage(other, [1, 1], 'plans');
  addMessage(other, [2, 1], 'more plans');
  expect(await countFound(folder, 'ann', 'plans')).toBe(2);
  other.exec(`delete from messages where id = '${id(2)}'`);
  expect(await countFound(folder, 'ann', 'plans')).toBe(1);
  other.exec('delete from conversations');
  expect(await countFound(folder, 'ann', 'plans')).toBe(0);
  expect(await countFound(folder, 'ann', 'x')).toBe(0);
  other.close();
});

test('notes an autosaved answer once, when it is complete', async () => {
  const folder = await newDatabase(() => undefined);
  const database = await openDatabase({ dataDirectory: folder }, tables.migrations);
  await sql`insert into conversations (id, owner, app_id, model, title, created_at, updated_at)
    values ('c', 'ann', 'a', 'm', 't', '', '')`.execute(database);
  await sql`insert into messages
      (id, conversation_id, position, role, content, status, details, created_at)
    values ('m', 'c', 0, 'assistant', '', 'running', '{}', '')`.execute(database);
  await sql`update messages set content = 'half an answer'`.execute(database);
  const count = () =>
    sql<{ n: number }>`select count(*) as n from search_pending`.execute(database);
  expect((await count()).rows).toEqual([{ n: 1 }]);
  await sql`update messages set content = 'an answer', status = 'complete'`.execute(database);
  expect((await count()).rows).toEqual([{ n: 2 }]);
  await database.destroy();
  expect(await countFound(folder, 'ann', 'answer')).toBe(1);
});
