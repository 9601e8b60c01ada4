import { isRecord } from '@knowhow/shared/is-record';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { adaptSchema, UnfitSchema } from './adapt-schema.ts';

const text = { type: 'string' };
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/**
 * Finds what a vendor would reject in a schema, based on the errors of OpenAI, Anthropic and
 * Google.
 */
function refusals(schema: unknown, at = 'top'): string[] {
  if (!isRecord(schema)) {
    return [`${at} is no schema`];
  }
  const isTop = at === 'top';
  const own = [
    isTop && schema.type !== 'object' && 'top is no object',
    isTop &&
      ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].some((key) => key in schema) &&
      'top combines',
    '$ref' in schema && `${at} refers`,
    schema.type === 'array' && !isRecord(schema.items) && `${at} has no items`,
    isTop && !ajv.validateSchema(schema) && ajv.errorsText(),
  ].filter((each) => each !== false);
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const inner = [
    ...Object.entries(isRecord(properties) ? properties : {}),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...[anyOf, oneOf, allOf].flat().map((each, index) => [String(index), each] as const),
  ];
  return [...own, ...inner.flatMap(([name, part]) => refusals(part, `${at}.${name}`))];
}

describe('adapts a schema that vendors reject', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['nothing', {}, { type: 'object', properties: {} }],
    ['no type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    [
      'several types',
      { type: ['object', 'null'], properties: null },
      { type: 'object', properties: {} },
    ],
    [
      'forms at the top',
      {
        anyOf: [
          { type: 'object', properties: { id: text, a: text }, required: ['id', 'a'] },
          { type: 'object', properties: { id: text, b: text }, required: ['id', 'b'] },
        ],
      },
      { type: 'object', properties: { id: text, a: text, b: text }, required: ['id'] },
    ],
    [
      'forms next to properties that are closed',
      {
        properties: { kind: text },
        additionalProperties: false,
        oneOf: [{ properties: { a: text } }, { required: ['kind'] }],
      },
      { type: 'object', properties: { a: text, kind: text } },
    ],
    [
      'parts at the top, one by reference',
      {
        allOf: [{ $ref: '#/$defs/base' }, { properties: { b: text }, required: ['b'] }],
        $defs: { base: { properties: { a: text }, required: ['a'] } },
      },
      { type: 'object', properties: { b: text, a: text }, required: ['a', 'b'] },
    ],
    [
      'a list without items',
      { properties: { a: { type: 'array' }, b: { type: ['array', 'null'] } } },
      {
        type: 'object',
        properties: { a: { type: 'array', items: {} }, b: { type: ['array', 'null'], items: {} } },
      },
    ],
    [
      'items of an older draft',
      { properties: { a: { type: 'array', items: [text, { type: 'number' }] } } },
      {
        type: 'object',
        properties: { a: { type: 'array', items: { anyOf: [text, { type: 'number' }] } } },
      },
    ],
    [
      'references',
      {
        properties: { a: { $ref: '#/definitions/a~1b', description: 'An A.' } },
        definitions: { 'a/b': text },
      },
      { type: 'object', properties: { a: { type: 'string', description: 'An A.' } } },
    ],
    [
      'dangling references',
      {
        properties: {
          a: { $ref: '#/$defs/none' },
          b: { $ref: 'https://a.example/b.json' },
          c: { $ref: '#/$defs/constructor' },
        },
      },
      { type: 'object', properties: { a: {}, b: {}, c: {} } },
    ],
    [
      'invalid types and values',
      {
        properties: {
          a: { type: 'any', minimum: '1', exclusiveMinimum: true, enum: [], required: true },
          b: true,
          c: { type: 'string', pattern: '(' },
        },
      },
      { type: 'object', properties: { a: {}, b: {}, c: text } },
    ],
    [
      'unknown and duplicate required names',
      { properties: { a: text }, required: ['a', 'a', 'b', 3] },
      { type: 'object', properties: { a: text }, required: ['a'] },
    ],
    [
      'metadata keywords',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        $id: 'x',
        $comment: 'y',
        type: 'object',
        properties: {},
      },
      { type: 'object', properties: {} },
    ],
    [
      'a condition at the top',
      {
        type: 'object',
        properties: { a: text },
        if: { required: ['a'] },
        else: false,
        not: { required: ['b'] },
        enum: [1],
      },
      { type: 'object', properties: { a: text } },
    ],
  ])('%s', (_, schema, adapted) => {
    expect(adaptSchema(schema)).toEqual(adapted);
    expect(refusals(adaptSchema(schema))).toEqual([]);
  });

  test('a recursive schema: two levels, then anything', () => {
    const schema = {
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: {
        node: { type: 'object', properties: { child: { $ref: '#/$defs/node' }, name: text } },
      },
    };
    const adapted = JSON.stringify(adaptSchema(schema));
    expect(adapted.split('"name"')).toHaveLength(3);
    expect(refusals(adaptSchema(schema))).toEqual([]);
    expect(adaptSchema({ properties: { all: { $ref: '#' } } })).toMatchObject({ type: 'object' });
    expect(adaptSchema({ $ref: '#' })).toEqual({ type: 'object', properties: {} });
    expect(adaptSchema({ allOf: [{ $ref: '#' }] })).toEqual({ type: 'object', properties: {} });
  });

  test('a schema with exponential recursion', () => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
    expect(refusals(adaptSchema({ properties, $defs }))).toEqual([]);
  });
});

test.each(['allOf', 'anyOf', 'oneOf'])('rejects %s with endless mutual references', (keyword) => {
  const both = { [keyword]: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] };
  expect(() => adaptSchema({ type: 'object', ...both })).toThrow('more than 2000 schemas');
});

test.each([
  ['a name with a space', { properties: { 'first name': text } }, 'argument named "first name"'],
  ['a name that is too long', { properties: { ['x'.repeat(65)]: text } }, 'names of up to 64'],
  [
    'more schemas than a request should carry',
    { properties: Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`p${at}`, {}])) },
    'more than 2000 schemas',
  ],
])('rejects arguments with %s', (_, schema, message) => {
  expect(() => adaptSchema(schema)).toThrow(UnfitSchema);
  expect(() => adaptSchema(schema)).toThrow(message);
});
