import { z } from 'zod';

const limit = z.number().int().min(0).max(1e15).optional();

/** Quotas per UTC day and month. Omitted: inherit; 0: unlimited. */
export const quotaSchema = z.looseObject({
  turnsPerDay: limit,
  turnsPerMonth: limit,
  /** Input and output tokens, including titles and summaries. */
  tokensPerDay: limit,
  tokensPerMonth: limit,
});
export type Quota = z.infer<typeof quotaSchema>;

export const quotaFields = [
  'turnsPerDay',
  'turnsPerMonth',
  'tokensPerDay',
  'tokensPerMonth',
] as const;
export type QuotaField = (typeof quotaFields)[number];

/** Quotas of a group. */
export const groupQuotasSchema = z.looseObject({
  /**
   * Per member with an account, including members of groups that inherit it. Overrides the default;
   * with several groups, the most generous applies.
   */
  each: quotaSchema.optional(),
  /** Shared by everyone in the group, including guests and keys. */
  together: quotaSchema.optional(),
});
