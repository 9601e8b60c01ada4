import type { PageQuery } from '@knowhow/shared/list';
import { parseCursor } from '../lib/cursors.ts';

/** A page of an in-memory list. The cursor is the start index. */
export function paginate<Item>(
  all: readonly Item[],
  { limit, cursor }: PageQuery,
): { items: Item[]; total: number; nextCursor?: string } {
  const start = parseCursor(cursor) ?? 0;
  const end = start + limit;
  return {
    items: all.slice(start, end),
    total: all.length,
    ...(end < all.length ? { nextCursor: String(end) } : {}),
  };
}
