import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { branchOwner } from '../../platform/storage/branch-owner.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Schema } from '../../platform/storage/schema.ts';

type Write = Transaction<Schema>;

/**
 * Tables with rows of a message and its conversation. `turn_facts` is not among them: it keeps the conversation in
 * which the turn took place.
 */
export const branchTables = [
  'activations',
  'tool_results',
  'vendor_states',
  'compactions',
  'feedback',
  'files',
] as const;

/**
 * Archives a conversation's messages from a position on as a branch that can be restored. Their rows move to a
 * detached conversation that no query finds. Activations of earlier messages that ended in the branch become active
 * again. Returns the branch ID; undefined if there is nothing to archive.
 *
 * @param conversation its row before anything of the new branch is stored
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
  const branch = randomUUID();
  await write
    .insertInto('conversations')
    .values({ ...conversation, id: branch, owner: branchOwner, title: '' })
    .execute();
  await write
    .insertInto('lines')
    .values({
      id: branch,
      conversation_id: id,
      position,
      ends: JSON.stringify(await detachEnds(write, id, ids)),
      bytes: await estimateBytes(write, ids),
      created_at: await nextTimestamp(write, id),
      is_comparison: 0,
    })
    .execute();
  await write
    .updateTable('messages')
    .set({ conversation_id: branch })
    .where('id', 'in', inList(ids))
    .execute();
  for (const table of branchTables) {
    await write
      .updateTable(table as 'feedback')
      .set({ conversation_id: branch })
      .where('conversation_id', '=', id)
      .where('message_id', 'in', inList(ids))
      .execute();
  }
  await write
    .updateTable('lines')
    .set({ conversation_id: branch })
    .where('conversation_id', '=', id)
    .where('position', '>', position)
    .execute();
  return branch;
}

export type End = Pick<
  Selectable<Schema['activations']>,
  'id' | 'ended_at' | 'end_reason' | 'ended_in'
>;

/** Removes the ends that these messages brought to activations of earlier messages, and returns them. */
async function detachEnds(write: Write, id: string, messages: readonly string[]): Promise<End[]> {
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

/** Restores a branch at the end of its conversation, with its IDs, settings and ends. */
export async function restoreBranch(
  write: Write,
  id: string,
  branch: Selectable<Schema['lines']>,
): Promise<void> {
  for (const table of ['messages', 'lines', ...branchTables] as const) {
    await write
      .updateTable(table as 'feedback')
      .set({ conversation_id: id })
      .where('conversation_id', '=', branch.id)
      .execute();
  }
  for (const { id: activation, ...end } of JSON.parse(branch.ends) as End[]) {
    await write
      .updateTable('activations')
      .set(end)
      .where('id', '=', activation)
      .where('conversation_id', '=', id)
      // Keeps ends that the user has caused meanwhile.
      .where('ended_at', 'is', null)
      .execute();
  }
  const { model, skills_off, ranked, tools } = await write
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', branch.id)
    .executeTakeFirstOrThrow();
  await write
    .updateTable('conversations')
    .set({ model, skills_off, ranked, tools })
    .where('id', '=', id)
    .execute();
  await write.deleteFrom('conversations').where('id', '=', branch.id).execute();
}

/** Approximate size of these messages in bytes. */
export async function estimateBytes(write: Write, messages: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    select
      (select sum(octet_length(content) + octet_length(details)) from messages
        where id in ${inList(messages)})
      + coalesce((select sum(octet_length(content)) from tool_results
        where message_id in ${inList(messages)}), 0) as bytes`.execute(write);
  return rows[0]?.bytes ?? 0;
}

/** Current time, but later than all branches of the conversation, even if the clock was set back. */
export async function nextTimestamp(write: Write, id: string): Promise<string> {
  const { last } = await write
    .selectFrom('lines')
    .select(({ fn }) => fn.max('created_at').as('last'))
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow();
  const earliest = last === null ? 0 : Date.parse(last) + 1;
  return new Date(Math.max(Date.now(), earliest)).toISOString();
}
