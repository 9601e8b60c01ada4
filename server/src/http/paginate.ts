import type { PageQuery } from '@knowhow/shared/list';
import { problem } from '@knowhow/shared/problem';

/** A page of an in-memory list. The cursor is the start index. */
export function paginate<Item>(
  all: readonly Item[],
  { limit, cursor }: PageQuery,
): { items: Item[]; total: number; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0) {
    throw problem('invalid-request', 'The cursor is invalid. Start without one.', {
      issues: [{ path: 'cursor', code: 'invalid', message: 'Invalid cursor.' }],
    });
  }
  const end = start + limit;
  return {
    items: all.slice(start, end),
    total: all.length,
    ...(end < all.length ? { nextCursor: String(end) } : {}),
  };
}
