import { withoutNul } from '@knowhow/shared/names';

/**
 * Takes NUL out of every text in a parsed body or query, however deep: changes it in place. An address
 * with NUL in it is left as it is, since it names nothing that there is.
 */
export function cleanTexts(parsed: unknown): unknown {
  const open: object[] = isObject(parsed) ? [parsed] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const container = next as Record<string, unknown>;
    for (const key of Object.keys(container)) {
      const value = container[key];
      if (typeof value === 'string') {
        container[key] = withoutNul(value);
      } else if (isObject(value)) {
        open.push(value);
      }
    }
  }
  return parsed;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
