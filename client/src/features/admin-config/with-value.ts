import { isRecord } from '@knowhow/shared/is-record';

/**
 * Returns a copy of a value with the value at a path replaced. Everything else is kept. A record that becomes
 * empty is replaced by `undefined`, but list entries are not.
 */
export function withValue(container: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    return value;
  }
  if (Array.isArray(container)) {
    return container.map((item, index) =>
      String(index) === key ? (withValue(item, rest, value) ?? (rest.length > 0 ? {} : '')) : item,
    );
  }
  const record = isRecord(container) ? container : {};
  const changed = { ...record, [key]: withValue(record[key], rest, value) };
  return Object.values(changed).some((item) => item !== undefined) ? changed : undefined;
}

/** The value at a path. */
export function valueAt(container: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    container,
  );
}
