import type { Kysely } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { endActivations } from '../activation-rows.ts';
import type { End } from '../archive-branch.ts';
import type { ActivationRecord } from '../records.ts';

/**
 * Stores the ends of activations in a conversation or comparison branch. In a branch, ends of inherited activations
 * are stored with the branch and apply once it is chosen.
 */
export async function storeEnds(
  write: Kysely<Schema>,
  conversationId: string,
  records: readonly ActivationRecord[],
): Promise<void> {
  const branch =
    records.length === 0
      ? undefined
      : await write
          .selectFrom('lines')
          .select('ends')
          .where('id', '=', conversationId)
          .executeTakeFirst();
  if (!branch) {
    await endActivations(write, records);
    return;
  }
  const ownRows = await write
    .selectFrom('activations')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('id', 'in', inList(records.map(({ id }) => id)))
    .execute();
  const own = new Set(ownRows.map(({ id }) => id));
  await endActivations(
    write,
    records.filter(({ id }) => own.has(id)),
  );
  const ends: End[] = records
    .filter(({ id }) => !own.has(id))
    .map(({ id, end }) => ({
      id,
      ended_at: new Date().toISOString(),
      end_reason: end?.reason ?? null,
      ended_in: end?.inTurnOf ?? null,
    }));
  await write
    .updateTable('lines')
    .set({ ends: JSON.stringify([...(JSON.parse(branch.ends) as End[]), ...ends]) })
    .where('id', '=', conversationId)
    .execute();
}
