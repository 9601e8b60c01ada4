import { z } from 'zod';

/** The query every list takes: how many at a time, and where to go on. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** The longest search, in characters. */
export const maxQueryLength = 200;

/** What is looked for in a list. */
export const searchQuery = z.string().max(maxQueryLength).optional();

/** What every list answers: a page of items, how many there are in all, where the next page begins. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().int(),
    nextCursor: z.string().optional(),
  });
}
