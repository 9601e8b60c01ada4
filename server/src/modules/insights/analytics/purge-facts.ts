import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../../platform/storage/open-database.ts';

/** Takes only a few milliseconds. */
const batchSize = 200;

/** Removes metrics of turns before a time, in batches that do not block the event loop. */
export async function purgeFacts(
  database: Database,
  before: string,
  lost?: AbortSignal,
): Promise<void> {
  for (let isMore = true; isMore && !lost?.aborted; await yieldToEventLoop()) {
    const oldest = database
      .selectFrom('turn_facts')
      .select('message_id')
      .where('at', '<', before)
      .orderBy('at')
      .limit(batchSize);
    const { numDeletedRows } = await database
      .deleteFrom('turn_facts')
      .where('message_id', 'in', oldest)
      .executeTakeFirst();
    isMore = numDeletedRows === BigInt(batchSize);
  }
}
