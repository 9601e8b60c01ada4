import { z } from 'zod';

/**
 * The dotted paths of all fields in a schema, such as `rateLimit.requests`. Items of lists are
 * numbers: `variables.0.name`.
 */
export type FieldPath<Schema> =
  Schema extends Definition<{ innerType: infer Inner }>
    ? FieldPath<Inner>
    : Schema extends Definition<{ shape: infer Shape }>
      ? { [Key in keyof Shape & string]: Below<Key, Shape[Key]> }[keyof Shape & string]
      : Schema extends Definition<{ element: infer Element }>
        ? Below<`${number}`, Element>
        : Schema extends Definition<{ valueType: infer Value }>
          ? `${string}.${FieldPath<Value>}`
          : Schema extends Definition<{ options: readonly (infer Option)[] }>
            ? FieldPath<Option>
            : never;

interface Definition<Def> {
  _zod: { def: Def };
}
type Below<Key extends string, Schema> = Key | `${Key}.${FieldPath<Schema>}`;

/** The declaration of a field in a schema: docs/decisions/0348-declare-defaults-and-bounds-in-the-schema.md. */
export interface FieldDeclaration {
  /** Without `.optional()` and `.default()`. */
  schema: z.ZodType;
  /** The value of a missing field; undefined if it has none. */
  default: unknown;
  /** Inclusive bounds of a number. */
  min: number | undefined;
  max: number | undefined;
}

/** The declaration of a field by its path. Throws if the schema has no such field. */
export function declarationOf(schema: z.ZodType, path: string): FieldDeclaration {
  const found = path
    .split('.')
    .reduce<z.ZodType | undefined>((outer, key) => outer && childOf(unwrap(outer), key), schema);
  if (!found) {
    throw new Error(`The schema has no field ${path}.`);
  }
  const inner = unwrap(found);
  return { schema: inner, default: defaultOf(found), ...boundsOf(inner) };
}

/** The paths of all fields below a path (empty: of the whole schema) that have no fields themselves. */
export function leafPaths(schema: z.ZodType, path = ''): string[] {
  const inner = path === '' ? unwrap(schema) : declarationOf(schema, path).schema;
  return inner instanceof z.ZodObject
    ? Object.keys(inner.shape).flatMap((key) => leafPaths(schema, path ? `${path}.${key}` : key))
    : [path];
}

/** A schema without `.optional()`, `.default()` and `.prefault()`. */
export function unwrap(schema: z.ZodType): z.ZodType {
  return isWrapper(schema) ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

function isWrapper(schema: z.ZodType) {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

function childOf(schema: z.ZodType, key: string): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    return Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
  }
  if (schema instanceof z.ZodArray) {
    return schema.element as z.ZodType;
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as readonly z.ZodType[];
    return options.map((option) => childOf(unwrap(option), key)).find(Boolean);
  }
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : undefined;
}

/** The value of `.default()`, or of `.meta({ default })` if the reader has to know whether the field is missing. */
function defaultOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodDefault) {
    return schema.def.defaultValue;
  }
  return (
    schema.meta()?.default ??
    (isWrapper(schema) ? defaultOf(schema.unwrap() as z.ZodType) : undefined)
  );
}

/** From the checks: the client is built without the part of zod that `minValue` needs. */
function boundsOf(schema: z.ZodType): Pick<FieldDeclaration, 'min' | 'max'> {
  const checks = (schema.def.checks ?? []).map((check): object => check._zod.def) as BoundCheck[];
  const boundOf = (kind: string) => checks.find(({ check }) => check === kind)?.value;
  return { min: boundOf('greater_than'), max: boundOf('less_than') };
}

/** `min()` and `max()` of a number. */
interface BoundCheck {
  check: string;
  value?: number;
}
