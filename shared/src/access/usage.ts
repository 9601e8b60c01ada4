import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** What was used in a day or a month, and the most that may be; left out, there is no bound. */
const usedSchema = z.object({
  turns: z.number().int(),
  tokens: z.number().int(),
  maxTurns: z.number().int().optional(),
  maxTokens: z.number().int().optional(),
});
export type Used = z.infer<typeof usedSchema>;

/** How much somebody uses: a user with all their keys, one key, or all of a group together. */
export const usageSchema = z.object({
  kind: z.enum(['user', 'key', 'group']),
  id: z.string(),
  /** Left out for who has gone. */
  name: z.string().optional(),
  day: usedSchema,
  month: usedSchema,
});
export type Usage = z.infer<typeof usageSchema>;

/** When counting begins again. Days and months are those of UTC. */
const periods = { dayEndsAt: z.iso.datetime(), monthEndsAt: z.iso.datetime() };

export const usageApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/account/usage',
    access: 'user',
    summary: 'How much the user has used today and this month, and how much they may',
    response: z.object({ items: z.array(usageSchema), ...periods }),
  }),
  all: endpoint({
    method: 'GET',
    path: '/api/admin/usage',
    access: 'admin',
    summary: 'How much users, keys and groups with a bound have used this month, the most first',
    query: pageQuery,
    response: listOf(usageSchema),
  }),
};
