import { sql } from 'kysely';
import { indexPending } from './index-pending.ts';
import { oneOf } from './one-of.ts';
import type { Database } from './open-database.ts';
import { idsPerOwner, searchedCharacters } from './search-limits.ts';

/** A message, or a title, that may hold what is looked for. */
export interface SearchedText {
  /** The greater, the newer. */
  id: number;
  conversationId: string;
  /** Empty for a title. */
  messageId: string;
}

/** Up to so many of an owner's texts are announced at a time. */
const textsAtOnce = 500;
/** Up to so many are looked at for that: some milliseconds, whatever is looked for. */
const idsAtOnce = 8000;
/** More say hardly more, and cost. */
const maxGroups = 24;

/**
 * The texts of an owner that may hold all these words, the newest first, some at a time: every text that
 * does is among them. Another database's full text goes here.
 */
export async function* findTexts(
  database: Database,
  owner: string,
  words: readonly string[],
): AsyncGenerator<SearchedText[]> {
  await indexPending(database);
  const { rows } = await sql<{ first: number; last: number | null }>`
    select number * ${sql.lit(idsPerOwner)} as first, (
      select max(id) from search_texts where id between number * ${sql.lit(idsPerOwner)}
      and (number + 1) * ${sql.lit(idsPerOwner)} - 1
    ) as last
    from search_owners where owner = ${owner}
  `.execute(database);
  const { first = 0, last = null } = rows[0] ?? {};
  const groups = groupsOf(words);
  for (let to = last ?? 0; to > first; ) {
    const from = Math.max(first, to - idsAtOnce);
    const found = await textsBetween(database, { from, to }, groups);
    yield found;
    to = found.length < textsAtOnce ? from - 1 : (found.at(-1)?.id ?? 0) - 1;
  }
}

/** The text as it is searched; those that have gone meanwhile are left out. */
export async function readTexts(
  database: Database,
  ids: readonly number[],
): Promise<{ id: number; text: string }[]> {
  const { rows } = await sql<{ id: number; text: string | null }>`
    select search_texts.id as id, case message_id
      when '' then (select title from conversations where id = conversation_id)
      else (
        select substr(content, 1, ${sql.lit(searchedCharacters)}) from messages
        where id = message_id
      ) end as text
    from search_texts where id in ${oneOf(ids)}
  `.execute(database);
  return rows.flatMap(({ id, text }) => (text === null ? [] : { id, text }));
}

async function textsBetween(
  database: Database,
  { from, to }: { from: number; to: number },
  groups: readonly string[],
): Promise<SearchedText[]> {
  const limit = sql.lit(textsAtOnce);
  const { rows } = await (groups.length === 0
    ? sql<SearchedText>`
        select id, conversation_id as "conversationId", message_id as "messageId" from search_texts
        where id between ${from} and ${to} order by id desc limit ${limit}`
    : sql<SearchedText>`
        select id, conversation_id as "conversationId", message_id as "messageId" from search_index
        join search_texts on id = search_index.rowid
        where search_index match ${groups.map(quoted).join(' AND ')}
        and search_index.rowid between ${from} and ${to}
        order by search_index.rowid desc limit ${limit}`
  ).execute(database);
  return rows;
}

/** Nothing in quotes means anything to SQLite. */
function quoted(group: string): string {
  return `"${group.replaceAll('"', '""')}"`;
}

/** Three letters each, as the index has them; shorter words have none. */
function groupsOf(words: readonly string[]): string[] {
  const groups = new Set<string>();
  for (const word of words) {
    // The index leaves such marks out.
    const letters = [...word.normalize('NFC').replace(/[\u0300-\u036f]/g, '')];
    for (let at = 0; at + 3 <= letters.length; at += 1) {
      groups.add(letters.slice(at, at + 3).join(''));
    }
  }
  const all = [...groups];
  const step = Math.max(1, all.length / maxGroups);
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
