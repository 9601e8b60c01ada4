import { withoutNul } from '@knowhow/shared/names';

/**
 * Strips NUL characters from every string in a parsed body or query, at any depth, in place. Paths are left
 * alone: one with NUL matches nothing.
 */
export function stripNul(parsed: unknown): unknown {
  const pending: object[] = isObject(parsed) ? [parsed] : [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const container = next as Record<string, unknown>;
    for (const key of Object.keys(container)) {
      const value = container[key];
      if (typeof value === 'string') {
        container[key] = withoutNul(value);
      } else if (isObject(value)) {
        pending.push(value);
      }
    }
  }
  return parsed;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
