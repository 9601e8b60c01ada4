/** One changed field; a side is undefined if there was no value. */
export interface Difference {
  field: string;
  was: string | undefined;
  is: string | undefined;
}

/**
 * Internal fields, the field shown next to the action's name, and the skills that were changed together with
 * this one.
 */
const silent = new Set(['checksum', 'summary', 'skills']);

/** The differences between two states, field by field, with nested fields as `a.b`. */
export function differences(before: unknown, after: unknown): Difference[] {
  const [was, is] = [flat(before), flat(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => was.get(field) !== is.get(field) && !silent.has(field))
    .map((field) => ({ field, was: was.get(field), is: is.get(field) }));
}

function flat(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map(value === undefined ? [] : [[path, formatValue(value)]]);
  }
  const prefix = path === '' ? '' : `${path}.`;
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...flat(inner, prefix + key)]));
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.map(formatValue).join(', ') || '–' : String(value);
}
