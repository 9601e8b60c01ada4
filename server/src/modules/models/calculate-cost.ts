import type { Prices } from '@knowhow/shared/config/models';
import type { ModelUsage } from './model.ts';

export interface Cost {
  amount: number;
  /** ISO 4217. */
  currency: string;
}

const perTokens = 1_000_000;
const defaultCurrency = 'USD';

/** Cost of a request at these prices; undefined without prices. */
export function calculateCost(usage: ModelUsage, prices: Prices | undefined): Cost | undefined {
  if (!prices) {
    return undefined;
  }
  const { input, cachedInput = input, cacheWrite = input, output, currency } = prices;
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0, outputTokens } = usage;
  const uncached = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const millionths =
    uncached * input +
    cachedTokens * cachedInput +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  return { amount: millionths / perTokens, currency: currency ?? defaultCurrency };
}
