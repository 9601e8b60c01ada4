import type { EndReason } from '@knowhow/shared/chat/chat';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { sha256 } from '../../platform/lib/sha256.ts';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { toActivation } from './conversation-rows.ts';
import type { ActivationRecord } from './records.ts';

/** All activations of the selected conversation, oldest first; ended ones without their text. */
export function selectActivations(eb: ExpressionBuilder<Schema, 'conversations'>) {
  return eb
    .selectFrom('activations')
    .leftJoin('skill_texts', (join) =>
      join.onRef('skill_texts.checksum', '=', 'activations.text').on('ended_at', 'is', null),
    )
    .select(['activations.id', 'activations.message_id', 'activations.call', 'activations.name'])
    .select(['activations.description', 'activations.via', 'activations.tokens'])
    .select(['activations.checksum', 'activations.arguments', 'activations.created_at'])
    .select(['activations.version_number', 'activations.version_digest'])
    .select(['activations.ended_at', 'activations.end_reason', 'activations.ended_in'])
    .select('skill_texts.content')
    .whereRef('activations.conversation_id', '=', 'conversations.id')
    .orderBy('activations.created_at');
}

type ActivationRow = Omit<Schema['activations'], 'conversation_id' | 'text'>;

export function toActivationRecord(
  row: ActivationRow & { content: string | null },
): ActivationRecord {
  return {
    id: row.id,
    messageId: row.message_id,
    ...(row.call === null ? {} : { call: row.call }),
    activation: toActivation(row),
    content: row.content ?? '',
    at: row.created_at,
    ...(row.end_reason === null
      ? {}
      : {
          end: {
            reason: row.end_reason as EndReason,
            ...(row.ended_in === null ? {} : { inTurnOf: row.ended_in }),
            ...(row.ended_at === null ? {} : { at: row.ended_at }),
          },
        }),
  };
}

/** Stores new activations with their texts. */
export async function insertActivations(
  write: Kysely<Schema>,
  conversationId: string,
  records: readonly ActivationRecord[],
): Promise<void> {
  for (const { id, messageId, call, activation, content, at } of records) {
    const { name, description, via, tokens, checksum, version, arguments: written } = activation;
    await write
      .insertInto('activations')
      .values({
        id,
        conversation_id: conversationId,
        message_id: messageId,
        call: call ?? null,
        name,
        description,
        via,
        tokens,
        checksum,
        version_number: version?.number ?? null,
        version_digest: version?.digest ?? null,
        arguments: written ?? null,
        text: await storeText(write, content),
        created_at: at,
      })
      .execute();
  }
}

/** Stores the texts of activations that an earlier version stored without them. */
export async function storeTexts(
  write: Kysely<Schema>,
  records: readonly ActivationRecord[],
): Promise<void> {
  for (const { id, content } of records) {
    const text = await storeText(write, content);
    await write.updateTable('activations').set({ text }).where('id', '=', id).execute();
  }
}

/** Name of the lock that serialises storing a skill text and deleting unreferenced ones. */
export const skillTextsLock = 'texts of skills';

async function storeText(write: Kysely<Schema>, content: string): Promise<string> {
  const checksum = sha256(content);
  await acquireTransactionLock(write, skillTextsLock);
  await write
    .insertInto('skill_texts')
    .values({ checksum, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return checksum;
}

/** Stores the ends of activations. */
export async function endActivations(
  write: Kysely<Schema>,
  records: readonly ActivationRecord[],
): Promise<void> {
  for (const { id, end } of records) {
    await write
      .updateTable('activations')
      .set({
        ended_at: new Date().toISOString(),
        end_reason: end?.reason ?? null,
        ended_in: end?.inTurnOf ?? null,
      })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
  }
}

/** Ends a skill on behalf of its user; false if it was not active. */
export async function endSkill(
  database: Database,
  owner: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('activations')
    .set({
      ended_at: new Date().toISOString(),
      end_reason: 'user' satisfies EndReason,
      ended_in: null,
    })
    .where('conversation_id', '=', id)
    .where('conversation_id', 'in', (select) =>
      select.selectFrom('conversations').select('id').where('owner', '=', owner),
    )
    .where('name', '=', name)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
