import type { QuotaField } from '@knowhow/shared/access/quotas';
import { problem } from '@knowhow/shared/problem';
import type { Periods } from './periods.ts';
import type { QuotaHolder } from './quota-holders.ts';
import type { Counts } from './usage-counts.ts';

/** Throws `quota-used-up` with the reset time if a quota does not allow another turn. */
export function checkQuota({ kind, quota }: QuotaHolder, counts: Counts, periods: Periods): void {
  const used: Record<QuotaField, number> = {
    turnsPerMonth: counts.month.turns,
    tokensPerMonth: counts.month.tokens,
    turnsPerDay: counts.day.turns,
    tokensPerDay: counts.day.tokens,
  };
  for (const field of fields) {
    const max = quota[field] ?? 0;
    if (max > 0 && used[field] >= max) {
      const isMonth = field.endsWith('Month');
      const opensAt = isMonth ? periods.monthEndsAt : periods.dayEndsAt;
      const what = `${max} ${units[field]} a ${isMonth ? 'month' : 'day'}`;
      throw problem(
        'quota-used-up',
        `${owners[kind]} ${what}, and they are used up. The quota resets at ${opensAt.toISOString().slice(0, 16).replace('T', ' ')} UTC; an administrator can allow more.`,
        { retryAfter: Math.max(1, Math.ceil((opensAt.getTime() - Date.now()) / 1000)) },
      );
    }
  }
}

/** Longest wait first. */
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

/** Start of a message about the quota of a holder. */
export const owners = {
  user: 'You have',
  key: 'This key has',
  group: 'Your group has together',
} as const;
