import type { Kysely } from 'kysely';
import { inList } from '../../storage/in-list.ts';
import type { Schema } from '../../storage/schema.ts';
import { endActivations } from '../activation-rows.ts';
import type { End } from '../archive-branch.ts';
import type { ActivationRecord } from '../records.ts';

/**
 * Stores the ends of activations that came in a conversation, or in a line beside its answer: there, those of before
 * are kept with the line and hold once it is taken.
 */
export async function endIn(
  write: Kysely<Schema>,
  conversationId: string,
  records: readonly ActivationRecord[],
): Promise<void> {
  const line =
    records.length === 0
      ? undefined
      : await write
          .selectFrom('lines')
          .select('ends')
          .where('id', '=', conversationId)
          .executeTakeFirst();
  if (!line) {
    await endActivations(write, records);
    return;
  }
  const ofLine = await write
    .selectFrom('activations')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('id', 'in', inList(records.map(({ id }) => id)))
    .execute();
  const own = new Set(ofLine.map(({ id }) => id));
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
    .set({ ends: JSON.stringify([...(JSON.parse(line.ends) as End[]), ...ends]) })
    .where('id', '=', conversationId)
    .execute();
}
