import { isRecord } from '@knowhow/shared/is-record';

/**
 * A copy of a value with another one at a path inside it. Whatever else it holds stays as it is; a
 * record that the change leaves with nothing in it becomes `undefined`, but no position in a list does.
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

/** What is at a path inside a value. */
export function valueAt(container: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    container,
  );
}
