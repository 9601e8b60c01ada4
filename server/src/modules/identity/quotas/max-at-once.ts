import { type Problem, problem } from '@knowhow/shared/problem';
import { owners } from './check-quota.ts';
import type { QuotaHolder } from './quota-holders.ts';
import type { Counts } from './usage-counts.ts';

/** A holder of a quota for whom a turn begins, and what was counted before. */
export interface StartedTurn {
  holder: QuotaHolder;
  counted: Counts;
}

/** The fewest tokens that a turn is expected to use: the length of its answer is unknown. */
const minTokens = 4000;
/** If more turns than this would fit, the remaining tokens do not limit concurrency. */
const maxSlots = 200;
const retryAfter = 5;

/**
 * Maximum number of concurrent turns of a holder: as many as the remaining tokens allow, at least
 * one. A turn is expected to use twice the monthly average. `Infinity` if there is no token quota,
 * or plenty is left.
 */
export function maxAtOnce({ quota }: QuotaHolder, { day, month }: Counts): number {
  const left = Math.min(
    remaining(quota.tokensPerDay, day.tokens),
    remaining(quota.tokensPerMonth, month.tokens),
  );
  const average = month.tokens / Math.max(1, month.turns);
  const max = Math.max(1, Math.floor(left / Math.max(minTokens, 2 * average)));
  return max > maxSlots ? Number.POSITIVE_INFINITY : max;
}

/** A quota of 0 is no limit. */
function remaining(quota = 0, used: number): number {
  return quota > 0 ? quota - used : Number.POSITIVE_INFINITY;
}

export function tooManyAtOnce({ kind }: QuotaHolder, max: number): Problem {
  const answers = max === 1 ? 'one answer' : `${max} answers`;
  return problem(
    'too-many-requests',
    `${owners[kind]} tokens left for ${answers} at once. Wait until an answer in progress has ended, then send your message again.`,
    { retryAfter },
  );
}
