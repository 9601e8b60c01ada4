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

/** Of a group. */
export const groupQuotasSchema = z.looseObject({
  /**
   * Of each member with an account, also of groups that inherit it, in place of the platform's; of several groups
   * the most generous.
   */
  each: quotaSchema.optional(),
  /** Of all who are in it together, also guests and keys. */
  together: quotaSchema.optional(),
});
