import { expect, it } from 'vitest';
import { calculateCost } from './calculate-cost.ts';

const usage = {
  inputTokens: 1_000_000,
  cachedTokens: 500_000,
  cacheWriteTokens: 100_000,
  outputTokens: 200_000,
};

it.each([
  [
    'charges each kind of token at its own price',
    { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15, currency: 'EUR' },
    { amount: expect.closeTo(0.4 * 3 + 0.5 * 0.3 + 0.1 * 3.75 + 0.2 * 15), currency: 'EUR' },
  ],
  [
    'charges kinds without a price as other input, in US dollars by default',
    { input: 3, output: 15 },
    { amount: expect.closeTo(3 + 3), currency: 'USD' },
  ],
  [
    'is free at a price of 0',
    { input: 0, output: 0, currency: 'CHF' },
    { amount: 0, currency: 'CHF' },
  ],
])('cost of a request: %s', (_, prices, cost) => {
  expect(calculateCost(usage, prices)).toEqual(cost);
});

it('has no cost without prices', () => {
  expect(calculateCost(usage, undefined)).toBeUndefined();
});
