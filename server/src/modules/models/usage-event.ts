import type { ModelEvent, ModelUsage } from './model.ts';

type Counted = { [Count in keyof ModelUsage]?: unknown };

/** Converts a provider's token counts into an event; missing and invalid counts are omitted. */
export function usageEvent(counted: Counted): ModelEvent {
  const { cachedTokens, cacheWriteTokens, inputTokens, outputTokens } = counted;
  return {
    type: 'usage',
    inputTokens: parseCount(inputTokens) ?? 0,
    ...optionalCount('cachedTokens', cachedTokens),
    ...optionalCount('cacheWriteTokens', cacheWriteTokens),
    outputTokens: parseCount(outputTokens) ?? 0,
  };
}

function optionalCount<Name extends string>(
  name: Name,
  written: unknown,
): { [Known in Name]?: number } {
  const count = parseCount(written);
  return count === undefined ? {} : ({ [name]: count } as { [Known in Name]: number });
}

/** Plausibility limit; larger counts would corrupt the totals. */
const maxTokens = 1_000_000_000;

/** Compatible servers may send strings or invalid values. */
function parseCount(written: unknown): number | undefined {
  const count = typeof written === 'string' && /^\d{1,10}$/.test(written) ? +written : written;
  return typeof count === 'number' && count >= 0 && count <= maxTokens
    ? Math.round(count)
    : undefined;
}
