import type { Field, Fields } from './parse-yaml.ts';

/** A field at the top level, or below `metadata`, where the specification allows custom fields. */
export function lookUp(fields: Fields, key: string): Field | undefined {
  const field = fields.get(key);
  const metadata = field ? undefined : fields.get('metadata');
  if (!metadata?.entries?.has(key)) {
    return field;
  }
  const text = metadata.entries.get(key);
  const value = text ?? getEntry(metadata, key);
  return { text, value, entries: undefined, line: metadata.line };
}

/** The value of a map field at a key. */
export function getEntry({ value }: Field, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
