import { isRecord } from '@knowhow/shared/is-record';
import type { JsonSchemaObject } from '../models/index.ts';

type Schema = Record<string, unknown>;

/** Levels to which a recursive schema is expanded, tried in turn; deeper levels accept anything. */
const recursions = [2, 1, 0];
/** Maximum subschemas after resolving references, which can multiply them. */
const maxSchemas = 2000;
const maxDepth = 24;
/** Argument names that Anthropic accepts. */
const argumentName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** A schema that cannot be sent to models. */
export class UnfitSchema extends Error {}

/**
 * Adapts the JSON schema of a tool's arguments to the subset that all vendors accept (OpenAI,
 * Anthropic, Google, Mistral and compatible servers). References are resolved, the root is one
 * object without `anyOf`, `oneOf` or `allOf`, lists have `items`, and keywords are valid in JSON
 * Schema 2020-12. Schemas are only widened, never narrowed: the tool still validates against its
 * own schema.
 *
 * @throws UnfitSchema with a sentence for admins if the arguments cannot be expressed for all
 *   vendors
 */
export function adaptSchema(schema: Schema): JsonSchemaObject {
  for (const maxRecursion of recursions) {
    const adapted = adaptWithin(schema, maxRecursion);
    if (adapted) {
      return adapted;
    }
  }
  throw new UnfitSchema(`Its arguments are described by more than ${maxSchemas} schemas.`);
}

/** Undefined if it exceeds `maxSchemas`. */
function adaptWithin(schema: Schema, maxRecursion: number): JsonSchemaObject | undefined {
  const adapter = new Adapter(schema, maxRecursion);
  const top = flattenTop(adapter.resolve(schema), adapter);
  const properties = isRecord(top.properties) ? top.properties : {};
  const invalidName = Object.keys(properties).find((name) => !argumentName.test(name));
  if (invalidName !== undefined) {
    throw new UnfitSchema(
      `It has an argument named ${JSON.stringify(invalidName.slice(0, 80))}. Models take names of up to 64 letters, digits, ".", "_" and "-".`,
    );
  }
  const { properties: _properties, enum: _enum, const: _const, ...adapted } = adapter.adapt(top, 0);
  const described = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, adapter.adapt(part, 1)]),
  );
  return adapter.isTooLarge
    ? undefined
    : withoutUnknownRequired<JsonSchemaObject>({
        ...adapted,
        type: 'object',
        properties: described,
      });
}

const types: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);
/** Scalar keywords, each with a validator of its value. Other keywords are dropped. */
const plainKeywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  format: isText,
  pattern: isPattern,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  default: () => true,
  examples: Array.isArray,
  const: () => true,
  enum: (value) => Array.isArray(value) && value.length > 0,
};

class Adapter {
  readonly #root: Schema;
  readonly #maxRecursion: number;
  #schemas = 0;

  constructor(root: Schema, maxRecursion: number) {
    this.#root = root;
    this.#maxRecursion = maxRecursion;
  }

  get isTooLarge(): boolean {
    return this.#schemas > maxSchemas;
  }

  /** Counts visited schemas: mutual references would otherwise grow exponentially. */
  count(): void {
    this.#schemas += 1;
  }

  /**
   * Follows `$ref` within the schema, merged with sibling keywords. Dangling references accept
   * anything.
   */
  resolve(schema: Schema, seen: readonly string[] = []): Schema {
    const { $ref: reference, ...rest } = schema;
    if (typeof reference !== 'string') {
      return schema;
    }
    const target = seen.includes(reference) ? undefined : this.#find(reference);
    return target ? { ...this.resolve(target, [...seen, reference]), ...rest } : rest;
  }

  #find(reference: string): Schema | undefined {
    if (!reference.startsWith('#')) {
      return undefined;
    }
    let found: unknown = this.#root;
    for (const part of reference.slice(1).split('/').slice(1)) {
      const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
      const isOwn = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
      found = isOwn ? (found as Schema)[name] : undefined;
    }
    return isRecord(found) ? found : undefined;
  }

  /** @param path the references followed so far, to detect recursion */
  adapt(given: unknown, depth: number, path: readonly string[] = []): Schema {
    this.count();
    if (!isRecord(given) || depth > maxDepth || this.isTooLarge) {
      return {};
    }
    const reference = typeof given.$ref === 'string' ? given.$ref : undefined;
    if (reference && path.filter((each) => each === reference).length >= this.#maxRecursion) {
      return isText(given.description) ? { description: given.description } : {};
    }
    const inner = reference ? [...path, reference] : path;
    const schema = this.resolve(given);
    const adapt = (part: unknown) => this.adapt(part, depth + 1, inner);
    return { ...pickPlainKeywords(schema), ...typeOf(schema), ...partsOf(schema, adapt) };
  }
}

function pickPlainKeywords(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(plainKeywords).flatMap(([keyword, isFit]) =>
      Object.hasOwn(schema, keyword) && isFit(schema[keyword]) ? [[keyword, schema[keyword]]] : [],
    ),
  );
}

/** Unknown types ("any", "file") accept anything. */
function typeOf({ type }: Schema): Schema {
  const known = [type].flat().filter((each) => typeof each === 'string' && types.has(each));
  if (known.length === 0) {
    return {};
  }
  return { type: known.length === 1 ? known[0] : [...new Set(known)] };
}

/** The subschemas of a schema. */
function partsOf(schema: Schema, adapt: (part: unknown) => Schema): Schema {
  const parts: Schema = {};
  if (isRecord(schema.properties)) {
    parts.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, adapt(part)]),
    );
  }
  if (Array.isArray(schema.required)) {
    parts.required = schema.required;
  }
  if (typeof schema.additionalProperties === 'boolean') {
    parts.additionalProperties = schema.additionalProperties;
  } else if (isRecord(schema.additionalProperties)) {
    parts.additionalProperties = adapt(schema.additionalProperties);
  }
  if ([schema.type].flat().includes('array') || schema.items !== undefined) {
    parts.items = itemsOf(schema, adapt);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const forms = schema[keyword];
    if (Array.isArray(forms) && forms.length > 0) {
      parts[keyword] = forms.map(adapt);
    }
  }
  return withoutUnknownRequired(parts);
}

/**
 * One schema for all items: tuples (`prefixItems`, or `items` before 2020-12) become the union of
 * their items.
 */
function itemsOf({ items, prefixItems }: Schema, adapt: (part: unknown) => Schema): Schema {
  const tuple = [prefixItems, items].find(Array.isArray);
  if (tuple) {
    return tuple.length === 0 ? {} : { anyOf: tuple.map(adapt) };
  }
  return adapt(items);
}

/** Limits `required` to known properties, without duplicates, or omits it. */
function withoutUnknownRequired<Given extends Schema>(schema: Given): Given {
  const { required, ...rest } = schema;
  const { properties } = schema;
  const names = Array.isArray(required)
    ? [...new Set(required)].filter(
        (name) =>
          typeof name === 'string' && isRecord(properties) && Object.hasOwn(properties, name),
      )
    : [];
  return (names.length > 0 ? { ...rest, required: names } : rest) as Given;
}

/**
 * Flattens the arguments to one object. All of `allOf` apply; of `anyOf` and `oneOf`, only what
 * every alternative requires is required.
 */
function flattenTop(schema: Schema, adapter: Adapter, depth = 0): Schema {
  const { allOf, anyOf, oneOf, ...rest } = schema;
  adapter.count();
  const parts = (forms: unknown) =>
    (Array.isArray(forms) && depth < maxDepth && !adapter.isTooLarge ? forms : [])
      .filter(isRecord)
      .map((form) => flattenTop(adapter.resolve(form), adapter, depth + 1));
  const whole = [rest, ...parts(allOf)].reduce(merge);
  return [anyOf, oneOf].map(parts).reduce((base, forms) => addForms(base, forms), whole);
}

function merge(one: Schema, other: Schema): Schema {
  return {
    ...other,
    ...one,
    properties: { ...propertiesOf(other), ...propertiesOf(one) },
    required: [...requiredOf(one), ...requiredOf(other)],
  };
}

function addForms(base: Schema, forms: readonly Schema[]): Schema {
  if (forms.length === 0) {
    return base;
  }
  const [first, ...others] = forms.map((form) => new Set(requiredOf(form)));
  const always = [...(first ?? [])].filter((name) => others.every((each) => each.has(name)));
  const properties = Object.fromEntries(
    forms.toReversed().flatMap((form) => Object.entries(propertiesOf(form))),
  );
  const { additionalProperties: _closed, ...open } = base;
  return {
    ...open,
    properties: { ...properties, ...propertiesOf(base) },
    required: [...requiredOf(base), ...always],
  };
}

function propertiesOf({ properties }: Schema): Schema {
  return isRecord(properties) ? properties : {};
}

function requiredOf({ required }: Schema): unknown[] {
  return Array.isArray(required) ? required : [];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && Boolean(new RegExp(value, 'u'));
  } catch {
    return false;
  }
}
