import type { ModelEvent, ModelUsage } from './model.ts';

type Counted = { [Count in keyof ModelUsage]?: unknown };

/** What a provider says that a request has cost; what it leaves out, or is no number, is left out. */
export function usageEvent(counted: Counted): ModelEvent {
  const { cachedTokens, cacheWriteTokens, inputTokens, outputTokens } = counted;
  return {
    type: 'usage',
    inputTokens: countOf(inputTokens) ?? 0,
    ...known('cachedTokens', cachedTokens),
    ...known('cacheWriteTokens', cacheWriteTokens),
    outputTokens: countOf(outputTokens) ?? 0,
  };
}

function known<Name extends string>(name: Name, written: unknown): { [Known in Name]?: number } {
  const count = countOf(written);
  return count === undefined ? {} : ({ [name]: count } as { [Known in Name]: number });
}

/** No request has more tokens; beyond it sums are wrong, and later cannot be made at all. */
const mostTokens = 1_000_000_000;

/** Servers that only speak like a vendor may send anything. */
function countOf(written: unknown): number | undefined {
  const count = typeof written === 'string' && /^\d{1,10}$/.test(written) ? +written : written;
  return typeof count === 'number' && count >= 0 && count <= mostTokens
    ? Math.round(count)
    : undefined;
}
