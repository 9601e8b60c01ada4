import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './contract.ts';
import { runOf, worstNames, worstPieces } from './worst-texts.ts';

/** Existing names, by the field or parameter that accepts them. */
export type KnownNames = Record<string, readonly string[]>;

/** For text without a maximum length in the schema. */
const defaultMaxLength = 100_000;

/** A value for a schema: mostly a valid worst case, occasionally one of a wrong type. */
export function hostileValue(schema: Schema, names: KnownNames, name = ''): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: legalValue(schema, names, name) },
    { weight: 1, arbitrary: wrongValue },
  );
}

/** A worst-case text: at the maximum length, or just above it. */
export function hostileText(
  { maxLength = defaultMaxLength, format }: Schema,
  known: readonly string[] = [],
): Arbitrary<string> {
  const lengths = [1, Math.min(1000, maxLength), maxLength, maxLength + 1];
  const run = fc
    .tuple(fc.constantFrom(...worstPieces), fc.constantFrom(...lengths))
    .map(([piece, length]) => runOf(piece, length));
  const mixed = fc
    .array(fc.constantFrom(...worstPieces), { minLength: 1, maxLength: 50 })
    .map((pieces) => runOf(pieces.join(''), Math.min(maxLength, 5000)));
  const exists = known.length > 0 ? fc.constantFrom(...known) : fc.string();
  return fc.oneof(
    { weight: known.length > 0 ? 12 : 1, arbitrary: exists },
    { weight: 3, arbitrary: run },
    { weight: 1, arbitrary: mixed },
    { weight: 1, arbitrary: fc.constantFrom(...worstNames) },
    { weight: format === 'uuid' ? 3 : 0, arbitrary: fc.uuid() },
  );
}

function legalValue(schema: Schema, names: KnownNames, name: string): Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    return fc.oneof(...choices.map((choice) => legalValue(choice, names, name)));
  }
  if (schema.enum || schema.const !== undefined) {
    return fc.constantFrom(...(schema.enum ?? [schema.const]));
  }
  switch (schema.type) {
    case 'string':
      return hostileText(schema, names[name]);
    case 'integer':
    case 'number':
      return arbitraryNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return arbitraryList(schema, names, name);
    case 'object':
      return arbitraryObject(schema, names);
    default:
      return fc.jsonValue();
  }
}

function arbitraryNumber({ minimum = -(2 ** 53), maximum = 2 ** 53 }: Schema): Arbitrary<unknown> {
  const edges = [minimum, maximum, minimum - 1, maximum + 1, 0, -0, 1.5, 1e21];
  return fc.oneof(
    fc.integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) }),
    edge(),
  );

  function edge() {
    return fc.constantFrom(...edges);
  }
}

function arbitraryList(schema: Schema, names: KnownNames, name: string): Arbitrary<unknown> {
  const item = hostileValue(schema.items ?? {}, names, name);
  const many = Math.min(schema.maxItems ?? 2000, 2000);
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(item, { maxLength: 5 }) },
    // Repeats one value: duplicates, at the limit and above it.
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...(names[name] ?? worstNames))
        .map((one) => Array.from({ length: many + 1 }, () => one)),
    },
  );
}

function arbitraryObject(schema: Schema, names: KnownNames): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, hostileValue(field, names, name)] as const,
  );
  const value = typeof additionalProperties === 'object' ? additionalProperties : {};
  const others = fc.dictionary(
    fc.constantFrom(...worstNames, ...Object.keys(names)),
    hostileValue(value, names),
    { maxKeys: 4 },
  );
  const own = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  // A free record consists of unknown fields; elsewhere they are the exception.
  const isFree = fields.length === 0;
  return fc.oneof(
    { weight: isFree ? 0 : 9, arbitrary: own },
    {
      weight: 1,
      arbitrary: fc.tuple(own, others).map(([mine, more]) => ({ ...more, ...mine })),
    },
  );
}

const wrongValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, -1, 1e308, '', [], {}, [[]], { $ref: '#' }, '2026-99-99'),
  fc.jsonValue(),
);
