import type { PageQuery } from '@knowhow/shared/list';
import { invalidCursor } from '../lib/invalid-cursor.ts';

/** A page of an in-memory list. The cursor is the start index. */
export function paginate<Item>(
  all: readonly Item[],
  { limit, cursor }: PageQuery,
): { items: Item[]; total: number; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0) {
    throw invalidCursor();
  }
  const end = start + limit;
  return {
    items: all.slice(start, end),
    total: all.length,
    ...(end < all.length ? { nextCursor: String(end) } : {}),
  };
}
