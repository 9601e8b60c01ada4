import { expect, test } from 'vitest';
import { z } from 'zod';
import { declarationOf, type FieldPath, leafPaths } from './schema-fields.ts';

const schema = z.looseObject({
  limits: z
    .looseObject({
      requests: z.number().int().min(1).max(9).default(5),
      hosts: z
        .array(z.string())
        .optional()
        .meta({ default: ['here'] }),
    })
    .prefault({}),
  items: z.array(z.looseObject({ on: z.boolean().default(true) })).optional(),
  text: z.union([z.string(), z.looseObject({ title: z.string() })]),
});
type Path = FieldPath<typeof schema>;

test('finds defaults and bounds by path, also in lists and unions', () => {
  const facts = (path: Path) => {
    const { schema: inner, ...rest } = declarationOf(schema, path);
    return [inner.def.type, rest.default, rest.min, rest.max];
  };
  expect(facts('limits.requests')).toEqual(['number', 5, 1, 9]);
  expect(facts('limits.hosts')).toEqual(['array', ['here'], undefined, undefined]);
  expect(facts('items.3.on')).toEqual(['boolean', true, undefined, undefined]);
  expect(facts('text.title')).toEqual(['string', undefined, undefined, undefined]);
});

test('lists the paths of fields without fields', () => {
  expect(leafPaths(schema)).toEqual(['limits.requests', 'limits.hosts', 'items', 'text']);
  expect(leafPaths(schema, 'limits')).toEqual(['limits.requests', 'limits.hosts']);
});

test('rejects a misspelled path, also when it compiles', () => {
  // @ts-expect-error There is no such field.
  const path: Path = 'limits.request';
  expect(() => declarationOf(schema, path)).toThrow('The schema has no field limits.request.');
});
