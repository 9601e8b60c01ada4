import { limitConcurrency } from './limit-concurrency.ts';

/**
 * Runs an action for all items, at most `max` at a time. Waits for all, even if one fails, then throws the first error:
 * what is still running cannot be cleaned up.
 */
export async function runConcurrently<Item>(
  items: readonly Item[],
  max: number,
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const limit = limitConcurrency(max);
  const ended = await Promise.allSettled(items.map((item) => limit(() => run(item))));
  for (const result of ended) {
    if (result.status === 'rejected') {
      throw result.reason;
    }
  }
}
