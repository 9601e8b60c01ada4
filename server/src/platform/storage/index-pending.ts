import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { debounce } from '../lib/debounce.ts';
import { getSearchedTexts } from './get-searched-texts.ts';
import type { Database } from './open-database.ts';

const quietMs = 5000;
/** A larger backlog would delay the first search by some tenths of a second. */
const latestMs = 10 * 60_000;

/** Indexes pending texts, in slices that leave the event loop free. */
export async function indexPending(database: Database): Promise<void> {
  const index = getSearchedTexts(database);
  while ((await index.addNoted(database)) > 0) {
    await yieldToEventLoop();
  }
}

/**
 * Returns a debounced function that indexes once nothing has been stored for some seconds, at the
 * latest ten minutes after the first call. Indexing is slower than all other writes of a turn, so
 * that running answers must not wait for it.
 */
export function indexSoon(database: Database): () => void {
  const index = () => {
    // For example, the database was closed meanwhile. The next search indexes the rest.
    indexPending(database).catch(() => undefined);
  };
  return debounce(quietMs, index, latestMs).trigger;
}
