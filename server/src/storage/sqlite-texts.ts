import { type Kysely, sql } from 'kysely';
import { withoutSearch } from './fill-search.ts';
import { lineOwner } from './migrations/create-lines.ts';
import { rootConversationId } from './root-conversation-id.ts';
import { idsPerOwner } from './search-limits.ts';
import type { SearchedText, SearchedTexts } from './searched-texts.ts';

/** SQLite's full text: see `migrations/search-tables.ts`. */
export const sqliteTexts: SearchedTexts = { find, addNoted, makeAgain: withoutSearch };

/** Up to so many of an owner's texts are announced at a time. */
const textsAtOnce = 500;
/** Up to so many are looked at for that: some milliseconds, whatever is looked for. */
const idsAtOnce = 8000;
/** More say hardly more, and cost. */
const maxGroups = 24;

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
  const groups = groupsOf(words);
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

/** So much goes into the index at a time: some milliseconds. */
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
    // What has been deleted meanwhile has no text; nor has a line, but what is said in it.
    const ofMessage = sql<string>`(select conversation_id from messages where id = noted.message_id)`;
    await sql`
      insert into search_input
      select whole, message_id, text from (
        select last, message_id, case message_id
          when '' then conversation_id else ${rootConversationId(ofMessage)} end as whole, case message_id
          when '' then (select title from conversations
            where id = noted.conversation_id and owner <> ${lineOwner})
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
