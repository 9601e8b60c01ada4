import { type Kysely, sql } from 'kysely';
import { branchOwner } from './branch-owner.ts';
import { withoutSearch } from './fill-search.ts';
import { rootConversationId } from './root-conversation-id.ts';
import { idsPerOwner } from './search-limits.ts';
import type { SearchedText, SearchedTexts } from './searched-texts.ts';

/** SQLite's full-text search: see `search-tables.ts`. */
export const sqliteTexts: SearchedTexts = { find, addNoted, makeAgain: withoutSearch };

/** Maximum number of texts per batch of results. */
const textsAtOnce = 500;
/** Maximum number of ids scanned per batch: some milliseconds for any query. */
const idsAtOnce = 8000;
/** More trigrams narrow the search hardly further, and cost time. */
const maxTrigrams = 24;

async function* find<Tables>(
  database: Kysely<Tables>,
  owner: string,
  words: readonly string[],
): AsyncGenerator<SearchedText[]> {
  const { rows } = await sql<{ first: number; last: number | null }>`
    select number * ${sql.lit(idsPerOwner)} as first, (
      select max(id) from search_texts where id between number * ${sql.lit(idsPerOwner)}
      and (number + 1) * ${sql.lit(idsPerOwner)} - 1
    ) as last
    from search_owners where owner = ${owner}
  `.execute(database);
  const { first = 0, last = null } = rows[0] ?? {};
  const groups = trigramsOf(words);
  for (let to = last ?? 0; to > first; ) {
    const from = Math.max(first, to - idsAtOnce);
    const found = await textsBetween(database, { from, to }, groups);
    yield found;
    to = found.length < textsAtOnce ? from - 1 : (found.at(-1)?.id ?? 0) - 1;
  }
}

async function textsBetween<Tables>(
  database: Kysely<Tables>,
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

/** Quoted, so that nothing in it is FTS5 syntax. */
function quoted(group: string): string {
  return `"${group.replaceAll('"', '""')}"`;
}

/** Trigrams, as in the index; shorter words have none. */
function trigramsOf(words: readonly string[]): string[] {
  const groups = new Set<string>();
  for (const word of words) {
    // The index ignores combining marks.
    const letters = [...word.normalize('NFC').replace(/[\u0300-\u036f]/g, '')];
    for (let at = 0; at + 3 <= letters.length; at += 1) {
      groups.add(letters.slice(at, at + 3).join(''));
    }
  }
  const all = [...groups];
  const step = Math.max(1, all.length / maxTrigrams);
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/** Maximum size of an indexing batch: some milliseconds. */
const notedAtOnce = 20;
const notedBytes = 200_000;

async function addNoted<Tables>(database: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<Noted>`
    select id, coalesce(
      (select octet_length(content) from messages where messages.id = message_id), 0
    ) as bytes from search_pending order by id limit ${sql.lit(notedAtOnce)}`.execute(database);
  let bytes = 0;
  const slice = rows.filter((row, at) => {
    bytes += row.bytes;
    return at === 0 || bytes <= notedBytes;
  });
  const last = slice.at(-1)?.id;
  if (last === undefined) {
    return 0;
  }
  await database.transaction().execute(async (transaction) => {
    // A deleted text has no content; nor has a branch, except for its messages.
    const ofMessage = sql<string>`(select conversation_id from messages where id = noted.message_id)`;
    await sql`
      insert into search_input
      select whole, message_id, text from (
        select last, message_id, case message_id
          when '' then conversation_id else ${rootConversationId(ofMessage)} end as whole, case message_id
          when '' then (select title from conversations
            where id = noted.conversation_id and owner <> ${branchOwner})
          else (select content from messages where id = message_id and status <> 'running')
          end as text
        from (
          select conversation_id, message_id, max(id) as last from search_pending
            where id <= ${last} group by conversation_id, message_id
        ) as noted
      ) where whole is not null and text is not null order by last
    `.execute(transaction);
    await sql`delete from search_pending where id <= ${last}`.execute(transaction);
  });
  return slice.length;
}

interface Noted {
  id: number;
  bytes: number;
}
