import type { Log } from '../../../platform/lib/log.ts';

/** Cache time, so that paging through a list reads only once. */
const maxAgeMs = 60_000;

/**
 * Calls `read` at most once a minute (stale-while-revalidate). Undefined if it fails without an earlier result.
 *
 * @param failure logged as a warning if it fails
 */
export function createCachedRead<Result>(
  read: () => Promise<Result>,
  { log, failure }: { log: Log; failure: string },
): () => Promise<Result | undefined> {
  let known: { at: number; result: Result } | undefined;
  let reading: Promise<Result | undefined> | undefined;

  async function refresh(): Promise<Result | undefined> {
    try {
      const at = Date.now();
      const result = await read();
      known = { at, result };
      return result;
    } catch (error) {
      log.warn({ error }, failure);
      return known?.result;
    } finally {
      reading = undefined;
    }
  }

  return async () => {
    if (known && Date.now() - known.at < maxAgeMs) {
      return known.result;
    }
    reading ??= refresh();
    return known?.result ?? reading;
  };
}
