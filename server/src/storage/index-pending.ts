import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { debounce } from '../lib/debounce.ts';
import type { Database } from './open-database.ts';
import { searchedTextsOf } from './searched-texts-of.ts';

const quietMs = 5000;
/** What then waits takes the first search some tenths of a second. */
const latestMs = 10 * 60_000;

/** Puts into the index what has been noted, in slices that leave the event loop free. */
export async function indexPending(database: Database): Promise<void> {
  const index = searchedTextsOf(database);
  while ((await index.addNoted(database)) > 0) {
    await yieldToEventLoop();
  }
}

/**
 * Gives what has it done once nothing has been stored for some seconds, so that no answer under way
 * waits for it: it takes longer than all else that a turn writes. At the latest ten minutes after the
 * first call.
 */
export function indexSoon(database: Database): () => void {
  const index = () => {
    // Such as when the database is closed meanwhile. The next search does what is left.
    indexPending(database).catch(() => undefined);
  };
  return debounce(quietMs, index, latestMs).stir;
}
