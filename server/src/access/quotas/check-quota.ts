import type { QuotaField } from '@knowhow/shared/access/quotas';
import { problem } from '@knowhow/shared/problem';
import type { Holder } from './holders-of.ts';
import type { Periods } from './periods.ts';
import type { Counts } from './usage-counts.ts';

/** Throws `quota-used-up`, with the time at which it opens again, where one more would be too many. */
export function checkQuota({ kind, quota }: Holder, counts: Counts, periods: Periods): void {
  const used: Record<QuotaField, number> = {
    turnsPerMonth: counts.month.turns,
    tokensPerMonth: counts.month.tokens,
    turnsPerDay: counts.day.turns,
    tokensPerDay: counts.day.tokens,
  };
  for (const field of fields) {
    const most = quota[field] ?? 0;
    if (most > 0 && used[field] >= most) {
      const isMonth = field.endsWith('Month');
      const opensAt = isMonth ? periods.monthEndsAt : periods.dayEndsAt;
      const what = `${most} ${units[field]} a ${isMonth ? 'month' : 'day'}`;
      throw problem(
        'quota-used-up',
        `${owners[kind]} ${what}, and they are used up. It goes on at ${opensAt.toISOString().slice(0, 16).replace('T', ' ')} UTC; an administrator can allow more.`,
        { retryAfter: Math.max(1, Math.ceil((opensAt.getTime() - Date.now()) / 1000)) },
      );
    }
  }
}

/** The longest wait first. */
const fields: readonly QuotaField[] = [
  'turnsPerMonth',
  'tokensPerMonth',
  'turnsPerDay',
  'tokensPerDay',
];

const units: Record<QuotaField, string> = {
  turnsPerDay: 'messages',
  turnsPerMonth: 'messages',
  tokensPerDay: 'tokens',
  tokensPerMonth: 'tokens',
};

/** How a sentence about the quota of a holder begins. */
export const owners = {
  user: 'You have',
  key: 'This key has',
  group: 'Your group has together',
} as const;
