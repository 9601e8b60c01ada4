import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { cpuTimeUntilDone } from '../testing/cpu-time.ts';
import { faultOfArguments, faultOfSchema } from './check-arguments.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

test('arguments are checked by the whole schema, and the fault says where', async () => {
  const schema = object(
    { city: { type: 'string' }, days: { type: 'integer', maximum: 7 }, unit: { enum: ['c', 'f'] } },
    { required: ['city'], additionalProperties: false },
  );
  expect(await faultOfArguments({ city: 'Bern', days: 3 }, schema)).toBeUndefined();
  expect(await faultOfArguments({ days: 9, unit: 'k', odd: 1 }, schema)).toBe(
    `the arguments must have required property 'city'; the arguments must NOT have additional properties ("odd"); /days must be <= 7; /unit must be equal to one of the allowed values (["c","f"]).`,
  );
  expect(await faultOfArguments('text', schema)).toBe('the arguments must be object.');
});

test('a schema of draft 7, with an address of its own and references, is understood', async () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.org/one',
    ...object({ a: { $ref: '#/definitions/word' } }, { definitions: { word: { type: 'string' } } }),
  };
  for (const written of [schema, structuredClone(schema)]) {
    expect(await faultOfArguments({ a: 'x' }, written)).toBeUndefined();
    expect(await faultOfArguments({ a: 1 }, written)).toBe('/a must be string.');
  }
});

test.each([
  ['a regular expression', object({ a: { pattern: '^(a+)+$' } }), { a: `${'a'.repeat(60)}!` }],
  [
    'references within each other',
    object({ a: { anyOf: Array(9).fill({ $ref: '#' }) } }, { required: ['z'] }),
    Array.from({ length: 30 }).reduce((inner) => ({ a: inner }), {}),
  ],
])('%s that would take for ever is given up', async (_name, schema, input) => {
  const ms = await cpuTimeUntilDone(async () => {
    expect(await faultOfArguments(input, schema)).toMatch(
      /^(They take too long|.*must have required)/,
    );
  });
  expect(ms).toBeLessThan(1000);
});

test.each([
  ['a circle', { $ref: '#' }],
  ['a reference to elsewhere', { $ref: 'https://example.org/schema.json' }],
  ['a broken regular expression', { pattern: '(' }],
  ['a type that there is not', { properties: { b: { type: 'nope' } } }],
])('with %s in it, a schema counts at its first level', async (_name, part) => {
  const schema = object({ a: { allOf: [part] }, n: { type: 'number' } }, { required: ['n'] });
  expect(await faultOfArguments({ a: 1, n: 1 }, schema)).toBeUndefined();
  expect(await faultOfArguments({ a: 1 }, schema)).toContain(`required property 'n'`);
});

test('a schema that is too large or too deep is refused before it is used', () => {
  const large = object({ a: { description: 'x'.repeat(1_000_000) } });
  const deep = Array.from({ length: 5000 }).reduce<Record<string, unknown>>((a) => ({ a }), {});
  expect(faultOfSchema(large)).toContain('65536 characters');
  expect(faultOfSchema(deep)).toContain('32 levels');
  expect(faultOfSchema(object({}))).toBeUndefined();
});

test('one that takes long to be compiled counts at its first level', async () => {
  const tree = (levels: number): Record<string, unknown> =>
    levels > 0 ? object({ a: tree(levels - 1), b: tree(levels - 1) }) : { type: 'string' };
  const schema = object({ n: { type: 'number' }, tree: tree(10) });
  const ms = await cpuTimeUntilDone(async () => {
    expect(await faultOfArguments({ n: 'x' }, schema)).toBe('/n must be number.');
  });
  expect(ms).toBeLessThan(2000);
});

test('arguments are not refused because others keep the processor busy', async () => {
  const busy = Array.from({ length: 4 }, () => new Worker('for (;;) {}', { eval: true }));
  onTestFinished(() => Promise.all(busy.map((worker) => worker.terminate())).then(() => undefined));
  await Promise.all(busy.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
  const schema = object({ n: { type: 'number' } });
  expect(await faultOfArguments({}, schema)).toBeUndefined();
  let reads = 0;
  const input = {
    /** At first no thread gets on with it. */
    get n() {
      reads += 1;
      if (reads <= 3) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      }
      return 1;
    },
  };
  expect(await faultOfArguments(input, schema)).toBeUndefined();
});
