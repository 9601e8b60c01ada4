import type { PageQuery } from '@knowhow/shared/list';
import { problem } from '@knowhow/shared/problem';

/** A page of a list that is in memory. The cursor is the position to go on from. */
export function pageOf<Item>(
  all: readonly Item[],
  { limit, cursor }: PageQuery,
): { items: Item[]; total: number; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0) {
    throw problem('invalid-request', 'The cursor is not one of ours. Begin without it.', {
      issues: [{ path: 'cursor', code: 'invalid', message: 'Not a cursor of this list.' }],
    });
  }
  const end = start + limit;
  return {
    items: all.slice(start, end),
    total: all.length,
    ...(end < all.length ? { nextCursor: String(end) } : {}),
  };
}
