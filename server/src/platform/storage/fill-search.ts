import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { branchOwner } from './branch-owner.ts';
import { inList } from './in-list.ts';
import { idsPerOwner, maxSearchedCharacters } from './search-limits.ts';

/** Maximum bytes of text that one statement indexes: some tens of milliseconds. */
const maxBatchBytes = 300_000;
const maxBatchTexts = 300;
const maxBatchConversations = 200;

/**
 * Runs `write`, which may change many conversations, without index updates, and rebuilds the index
 * afterwards: much faster than text by text. Must run in a transaction, so that no reader sees the
 * incomplete index.
 */
export async function withoutSearch<Tables>(
  database: Kysely<Tables>,
  write: () => Promise<void>,
): Promise<void> {
  await sql`insert into search_paused values ('')`.execute(database);
  await sql`insert into search_index (search_index) values ('delete-all')`.execute(database);
  await sql`delete from search_texts`.execute(database);
  await sql`delete from search_owners`.execute(database);
  await sql`delete from search_pending`.execute(database);
  await write();
  await fillSearch(database);
  await noteLines(database);
  await sql`delete from search_paused`.execute(database);
}

/**
 * Fills the empty index, owner by owner, because sorted texts are cheap. Works in slices that leave
 * the event loop free.
 */
async function fillSearch<Tables>(database: Kysely<Tables>): Promise<void> {
  await sql`insert into search_owners (owner)
    select distinct owner from conversations where owner <> ${branchOwner}`.execute(database);
  const { rows: owners } = await sql<{ number: number; owner: string }>`
    select number, owner from search_owners`.execute(database);
  for (const { number, owner } of owners) {
    let next = number * idsPerOwner + 1;
    for await (const texts of textsOf(database, owner)) {
      for (const slice of slicesOf(texts)) {
        await addTexts(database, slice, next);
        next += slice.length;
        await yieldToEventLoop();
      }
    }
  }
}

interface Text {
  conversation: string;
  /** Empty for a title. */
  message: string;
  bytes: number;
}

/** Oldest first, some conversations at a time. */
async function* textsOf<Tables>(database: Kysely<Tables>, owner: string): AsyncGenerator<Text[]> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations where owner = ${owner} order by updated_at, id`.execute(database);
  for (let at = 0; at < rows.length; at += maxBatchConversations) {
    const ids = rows.slice(at, at + maxBatchConversations).map(({ id }) => id);
    const titles = ids.map((conversation) => ({ conversation, message: '', bytes: 0 }));
    const { rows: messages } = await sql<Text>`
      select conversation_id as conversation, id as message, octet_length(content) as bytes
      from messages where conversation_id in ${inList(ids)} and status <> 'running'
    `.execute(database);
    yield [...titles, ...messages];
  }
}

/** @param first the id of the first text */
async function addTexts<Tables>(
  database: Kysely<Tables>,
  texts: readonly Text[],
  first: number,
): Promise<void> {
  const rows = texts.map(({ conversation, message }, at) => [first + at, conversation, message]);
  await sql`
    insert into search_texts (id, conversation_id, message_id)
    select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(rows)})
  `.execute(database);
  await sql`
    insert into search_index (rowid, text)
    select id, substr(case message_id
      when '' then (select title from conversations where id = conversation_id)
      else (select content from messages where id = message_id)
      end, 1, ${sql.lit(maxSearchedCharacters)})
    from search_texts where id between ${first} and ${first + texts.length - 1} order by id
  `.execute(database);
}

function slicesOf(texts: readonly Text[]): Text[][] {
  const slices: Text[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const slice = slices.at(-1);
    bytes += text.bytes;
    if (slice && bytes <= maxBatchBytes && slice.length < maxBatchTexts) {
      slice.push(text);
    } else {
      slices.push([text]);
      bytes = text.bytes;
    }
  }
  return slices;
}

/** Notes archived branches for indexing, oldest first. */
async function noteLines<Tables>(database: Kysely<Tables>): Promise<void> {
  await sql`
    insert into search_pending (conversation_id, message_id)
    select conversations.id, messages.id
      from conversations join messages on messages.conversation_id = conversations.id
      where owner = ${branchOwner} and status <> 'running' order by updated_at, position
  `.execute(database);
}
