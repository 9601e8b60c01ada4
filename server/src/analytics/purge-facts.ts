import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../storage/open-database.ts';

/** Some milliseconds. */
const rowsAtOnce = 200;

/** Removes the numbers of turns that began before a time, in slices that leave the event loop free. */
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
      .limit(rowsAtOnce);
    const { numDeletedRows } = await database
      .deleteFrom('turn_facts')
      .where('message_id', 'in', oldest)
      .executeTakeFirst();
    isMore = numDeletedRows === BigInt(rowsAtOnce);
  }
}
