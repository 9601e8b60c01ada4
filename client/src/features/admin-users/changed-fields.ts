import { isRecord } from '@knowhow/shared/is-record';
/** One changed field; a missing side is undefined. */
export interface ChangedField {
  path: string;
  before: unknown;
  after: unknown;
}

/** The differences between two states, down to lists and single values. */
export function changedFields(
  before: unknown,
  after: unknown,
  path: string[] = [],
): ChangedField[] {
  const sides = [before, after];
  if (sides.some(isRecord) && sides.every((side) => side === undefined || isRecord(side))) {
    const keys = new Set(sides.filter(isRecord).flatMap(Object.keys));
    return [...keys].flatMap((key) =>
      changedFields(getValue(before, key), getValue(after, key), [...path, key]),
    );
  }
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return isSame ? [] : [{ path: path.join('.'), before, after }];
}

function getValue(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
