import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** Usage in a day or month, with the limits; an omitted limit means unlimited. */
const usedSchema = z.object({
  turns: z.number().int(),
  tokens: z.number().int(),
  maxTurns: z.number().int().optional(),
  maxTokens: z.number().int().optional(),
});
export type Used = z.infer<typeof usedSchema>;

/** Usage of a user with all API keys, of one key, or of a group together. */
export const usageSchema = z.object({
  kind: z.enum(['user', 'key', 'group']),
  id: z.string(),
  /** Omitted if it no longer exists. */
  name: z.string().optional(),
  day: usedSchema,
  month: usedSchema,
});
export type Usage = z.infer<typeof usageSchema>;

/** When the counters reset. Days and months are UTC. */
const periods = { dayEndsAt: z.iso.datetime(), monthEndsAt: z.iso.datetime() };

export const usageApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/account/usage',
    access: 'user',
    summary: 'Your usage of today and this month, with the quotas',
    response: z.object({ items: z.array(usageSchema), ...periods }),
  }),
  all: endpoint({
    method: 'GET',
    path: '/api/admin/usage',
    access: 'admin',
    summary: 'Usage of users, keys and groups with a quota this month, highest first',
    query: pageQuery,
    response: listOf(usageSchema),
  }),
};
