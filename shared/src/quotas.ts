import { z } from 'zod';

const most = z.number().int().min(0).max(1e15).optional();

/**
 * How much may be used at most, by days and months of UTC. Left out, nothing is said of it; 0: as much as
 * somebody likes.
 */
export const quotaSchema = z.looseObject({
  turnsPerDay: most,
  turnsPerMonth: most,
  /** Of models, in and out, also for titles and summaries. */
  tokensPerDay: most,
  tokensPerMonth: most,
});
export type Quota = z.infer<typeof quotaSchema>;

export const quotaFields = [
  'turnsPerDay',
  'turnsPerMonth',
  'tokensPerDay',
  'tokensPerMonth',
] as const;
export type QuotaField = (typeof quotaFields)[number];
