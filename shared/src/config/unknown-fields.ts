import { z } from 'zod';
import { isRecord } from '../is-record.ts';
import { unwrap } from './schema-fields.ts';

/** A field of a value that its schema does not have. */
export interface UnknownField {
  path: readonly string[];
  /** The names that the schema has in its place. */
  known: readonly string[];
}

/** All fields that the schema does not have. Of a union, the form counts that knows the most. */
export function findUnknownFields(
  field: z.ZodType,
  value: unknown,
  path: readonly string[] = [],
): UnknownField[] {
  const schema = unwrapInput(field);
  if (schema instanceof z.ZodUnion) {
    const forms = (schema.options as readonly z.ZodType[])
      .filter((option) => hasForm(unwrapInput(option), value))
      .map((option) => findUnknownFields(option, value, path));
    return forms.toSorted((one, other) => one.length - other.length)[0] ?? [];
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((each, index) =>
      findUnknownFields(schema.element as z.ZodType, each, [...path, String(index)]),
    );
  }
  if (schema instanceof z.ZodRecord && isRecord(value)) {
    return Object.entries(value).flatMap(([key, each]) =>
      findUnknownFields(schema.valueType as z.ZodType, each, [...path, key]),
    );
  }
  if (!(schema instanceof z.ZodObject && isRecord(value))) {
    return [];
  }
  return Object.entries(value).flatMap(([key, each]) => {
    if (each === undefined) {
      return [];
    }
    const below = [...path, key];
    return Object.hasOwn(schema.shape, key)
      ? findUnknownFields(schema.shape[key], each, below)
      : [{ path: below, known: Object.keys(schema.shape) }];
  });
}

/** The schema of the input, without what is optional or transforms it. */
function unwrapInput(field: z.ZodType): z.ZodType {
  const schema = unwrap(field);
  if (schema instanceof z.ZodNullable) {
    return unwrapInput(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema.def;
    return unwrapInput((first instanceof z.ZodTransform ? out : first) as z.ZodType);
  }
  return schema;
}

/** Whether a value can be this form of a union. */
function hasForm(schema: z.ZodType, value: unknown): boolean {
  if (schema instanceof z.ZodObject) {
    return isRecord(value);
  }
  if (schema instanceof z.ZodRecord) {
    const key = schema.keyType as z.ZodType;
    return isRecord(value) && Object.keys(value).every((each) => key.safeParse(each).success);
  }
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value);
  }
  const isOpen = [z.ZodUnion, z.ZodAny, z.ZodUnknown].some((open) => schema instanceof open);
  return isOpen || (!isRecord(value) && !Array.isArray(value));
}
