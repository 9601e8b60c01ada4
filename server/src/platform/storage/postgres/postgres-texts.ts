import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { branchOwner } from '../branch-owner.ts';
import { foldedText } from '../folded-text.ts';
import { rootConversationId } from '../root-conversation-id.ts';
import { maxSearchedCharacters } from '../search-limits.ts';
import type { SearchedText, SearchedTexts } from '../searched-texts.ts';

/** See `search-tables.ts`. */
export const postgresTexts: SearchedTexts = { find, addNoted, makeAgain };

/** Maximum number of texts per batch of results. */
const textsAtOnce = 500;
/** Maximum number of texts indexed in one transaction. */
const notedAtOnce = 50;
/** Key of the advisory lock of the indexer. */
const key = 4_935_612_809;
const notFound = 2 ** 53;

async function* find<Tables>(
  database: Kysely<Tables>,
  owner: string,
  words: readonly string[],
): AsyncGenerator<SearchedText[]> {
  const number = await ownerNumber(database, owner);
  const groups = words.flatMap((word) => [...trigramsOf(foldedText(word), number)]);
  for (let before = notFound; ; ) {
    const { rows } = await sql<SearchedText>`
      select id, conversation_id as "conversationId", message_id as "messageId" from search_texts
      where ${
        groups.length === 0
          ? sql`owner = ${number} and id < ${before} order by id desc`
          : // Not by the order of ids, in which texts of all owners would be looked at.
            sql`groups @> ${groups}::text[] and id + 0 < ${before} order by id + 0 desc`
      } limit ${sql.lit(textsAtOnce)}`.execute(database);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < textsAtOnce) {
      return;
    }
    before = last.id;
  }
}

async function addNoted<Tables>(database: Kysely<Tables>): Promise<number> {
  return database.isTransaction
    ? addSome(database)
    : database.transaction().execute((write) => addSome(write));
}

async function makeAgain<Tables>(
  database: Kysely<Tables>,
  write: () => Promise<void>,
): Promise<void> {
  await sql`delete from search_texts`.execute(database);
  await write();
  await sql`delete from search_pending`.execute(database);
  // Oldest first: the newest has the greatest id.
  await sql`
    insert into search_pending (conversation_id, message_id)
    select conversation_id, message_id from (
      select updated_at, id as conversation_id, '' as message_id, -1 as position
        from conversations where owner <> ${branchOwner}
      union all
      select updated_at, conversations.id, messages.id, position
        from messages join conversations on conversations.id = conversation_id
        where status <> 'running'
    ) as texts order by updated_at, conversation_id, position`.execute(database);
  while ((await addSome(database)) > 0) {
    await yieldToEventLoop();
  }
}

interface Noted {
  conversation_id: string;
  message_id: string;
  owner: string;
  text: string | null;
}

/** Runs in a transaction, one at a time: a caller that waited finds it done. */
async function addSome<Tables>(write: Kysely<Tables>): Promise<number> {
  await sql`select pg_advisory_xact_lock(${sql.lit(key)})`.execute(write);
  const { rows: noted } = await sql<{ id: number }>`
    select id from search_pending order by id limit ${sql.lit(notedAtOnce)}`.execute(write);
  const ids = noted.map(({ id }) => id);
  // Locks the conversations, so that deleting one also deletes the texts added here.
  const { rows } = await sql<Noted>`
    select whole.id as conversation_id, message_id, whole.owner, case message_id when '' then whole.title else (
      select substr(content, 1, ${sql.lit(maxSearchedCharacters)}) from messages
      where messages.id = message_id and status <> 'running'
    ) end as text
    from (
      select conversation_id, message_id, max(id) as last from search_pending
      where id = any(${ids}::bigint[]) group by conversation_id, message_id
    ) as noted
    join conversations as holder on holder.id = case message_id when '' then noted.conversation_id
      else (select messages.conversation_id from messages where messages.id = message_id) end
    join conversations as whole on whole.id = ${rootConversationId(sql`holder.id`)}
    order by last for key share of holder, whole`.execute(write);
  for (const row of rows) {
    await addText(write, row);
    await yieldToEventLoop();
  }
  await sql`delete from search_pending where id = any(${ids}::bigint[])`.execute(write);
  return ids.length;
}

async function addText<Tables>(write: Kysely<Tables>, noted: Noted): Promise<void> {
  const { conversation_id, message_id, owner, text } = noted;
  if (text === null) {
    return;
  }
  const number = await ownerNumber(write, owner);
  await sql`
    insert into search_texts (owner, conversation_id, message_id, groups)
    values (${number}, ${conversation_id}, ${message_id}, ${[...trigramsOf(foldedText(text), number)]})
    on conflict (conversation_id, message_id)
      do update set groups = excluded.groups, id = default`.execute(write);
}

async function ownerNumber<Tables>(database: Kysely<Tables>, owner: string): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    with added as (
      insert into search_owners (owner) values (${owner}) on conflict do nothing returning number
    ) select number from added union all select number from search_owners where owner = ${owner}
  `.execute(database);
  return rows[0]?.number ?? ownerNumber(database, owner);
}

/** Trigrams, prefixed with the number of their owner. */
function trigramsOf(folded: string, owner: number): Set<string> {
  const groups = new Set<string>();
  for (let at = 0; at + 3 <= folded.length; at += 1) {
    groups.add(`${owner} ${folded.slice(at, at + 3)}`);
  }
  return groups;
}
