import { z } from 'zod';

/** Common query of lists: page size and cursor. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** Maximum length of a search, in characters. */
export const maxQueryLength = 200;

/** Search words in a list. */
export const searchQuery = z.string().max(maxQueryLength).optional();

/** Common response of lists: a page of items, the total, and the cursor of the next page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().int(),
    nextCursor: z.string().optional(),
  });
}
