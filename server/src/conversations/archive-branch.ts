import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { inList } from '../storage/in-list.ts';
import { lineOwner } from '../storage/migrations/create-lines.ts';
import type { Schema } from '../storage/schema.ts';

type Write = Transaction<Schema>;

/** The tables whose rows belong to a message, and to its conversation. `turn_facts` says where it was said. */
export const branchTables = [
  'activations',
  'tool_results',
  'vendor_states',
  'compactions',
  'feedback',
  'files',
] as const;

/**
 * Puts what a conversation says from a position on away, as a line of its own that can be brought back: its rows
 * move to a conversation that nobody finds. What it has ended of before goes on.
 * Answers the id of that; undefined where there is nothing.
 *
 * @param conversation as it is before anything of a new line is stored
 */
export async function archiveBranch(
  write: Write,
  conversation: Selectable<Schema['conversations']>,
  position: number,
): Promise<string | undefined> {
  const { id } = conversation;
  const messages = await write
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', id)
    .where('position', '>=', position)
    .orderBy('position')
    .execute();
  if (messages.length === 0) {
    return undefined;
  }
  const ids = messages.map((message) => message.id);
  const line = randomUUID();
  await write
    .insertInto('conversations')
    .values({ ...conversation, id: line, owner: lineOwner, title: '' })
    .execute();
  await write
    .insertInto('lines')
    .values({
      ...{ id: line, conversation_id: id, position },
      ends: JSON.stringify(await takeEnds(write, id, ids)),
      bytes: await bytesOf(write, ids),
      created_at: await nextMoment(write, id),
      beside: 0,
    })
    .execute();
  await write
    .updateTable('messages')
    .set({ conversation_id: line })
    .where('id', 'in', inList(ids))
    .execute();
  for (const table of branchTables) {
    await write
      .updateTable(table as 'feedback')
      .set({ conversation_id: line })
      .where('conversation_id', '=', id)
      .where('message_id', 'in', inList(ids))
      .execute();
  }
  await write
    .updateTable('lines')
    .set({ conversation_id: line })
    .where('conversation_id', '=', id)
    .where('position', '>', position)
    .execute();
  return line;
}

export type End = Pick<
  Selectable<Schema['activations']>,
  'id' | 'ended_at' | 'end_reason' | 'ended_in'
>;

/** The ends that came with these messages, of activations of before, which thereby go on. */
async function takeEnds(write: Write, id: string, messages: readonly string[]): Promise<End[]> {
  const ends = await write
    .selectFrom('activations')
    .select(['id', 'ended_at', 'end_reason', 'ended_in'])
    .where('conversation_id', '=', id)
    .where('ended_in', 'in', inList(messages))
    .where('message_id', 'not in', inList(messages))
    .execute();
  await write
    .updateTable('activations')
    .set({ ended_at: null, end_reason: null, ended_in: null })
    .where('id', 'in', inList(ends.map((end) => end.id)))
    .execute();
  return ends;
}

/** Brings a line back to the end of its conversation, with the ids it had, and what it went on with. */
export async function restoreBranch(
  write: Write,
  id: string,
  line: Selectable<Schema['lines']>,
): Promise<void> {
  for (const table of ['messages', 'lines', ...branchTables] as const) {
    await write
      .updateTable(table as 'feedback')
      .set({ conversation_id: id })
      .where('conversation_id', '=', line.id)
      .execute();
  }
  for (const { id: activation, ...end } of JSON.parse(line.ends) as End[]) {
    await write
      .updateTable('activations')
      .set(end)
      .where('id', '=', activation)
      .where('conversation_id', '=', id)
      // What its user has ended meanwhile stays so.
      .where('ended_at', 'is', null)
      .execute();
  }
  const { model, skills_off, ranked, tools } = await write
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', line.id)
    .executeTakeFirstOrThrow();
  await write
    .updateTable('conversations')
    .set({ model, skills_off, ranked, tools })
    .where('id', '=', id)
    .execute();
  await write.deleteFrom('conversations').where('id', '=', line.id).execute();
}

/** About what these messages take, in bytes. */
export async function bytesOf(write: Write, messages: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    select
      (select sum(octet_length(content) + octet_length(details)) from messages
        where id in ${inList(messages)})
      + coalesce((select sum(octet_length(content)) from tool_results
        where message_id in ${inList(messages)}), 0) as bytes`.execute(write);
  return rows[0]?.bytes ?? 0;
}

/** Now, but after all lines of the conversation, also where the clock has been set back. */
export async function nextMoment(write: Write, id: string): Promise<string> {
  const { last } = await write
    .selectFrom('lines')
    .select(({ fn }) => fn.max('created_at').as('last'))
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow();
  const least = last === null ? 0 : Date.parse(last) + 1;
  return new Date(Math.max(Date.now(), least)).toISOString();
}
