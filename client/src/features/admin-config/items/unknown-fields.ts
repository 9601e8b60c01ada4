import { unwrap } from '@knowhow/shared/config/schema-fields';
import { isRecord } from '@knowhow/shared/is-record';
import { z } from 'zod';

/** The paths of all fields that the schema does not know. */
export function unknownFields(field: z.ZodType, value: unknown, path: string[] = []): string[] {
  const schema = unwrap(field);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) =>
      unknownFields(schema.element as z.ZodType, item, [...path, String(index)]),
    );
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = [...path, key];
    if (item === undefined) {
      return [];
    }
    return Object.hasOwn(schema.shape, key)
      ? unknownFields(schema.shape[key], item, inner)
      : [inner.join('.')];
  });
}
