import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { cpuTimeUntilDone } from '../../testing/cpu-time.ts';
import { findArgumentIssue, findSchemaIssue } from './check-arguments.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

test('validates arguments against the schema and reports the path of an error', async () => {
  const schema = object(
    { city: { type: 'string' }, days: { type: 'integer', maximum: 7 }, unit: { enum: ['c', 'f'] } },
    { required: ['city'], additionalProperties: false },
  );
  expect(await findArgumentIssue({ city: 'Bern', days: 3 }, schema)).toBeUndefined();
  expect(await findArgumentIssue({ days: 9, unit: 'k', odd: 1 }, schema)).toBe(
    `the arguments must have required property 'city'; the arguments must NOT have additional properties ("odd"); /days must be <= 7; /unit must be equal to one of the allowed values (["c","f"]).`,
  );
  expect(await findArgumentIssue('text', schema)).toBe('the arguments must be object.');
});

test('supports draft 7 schemas with an `$id` and references', async () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.org/one',
    ...object({ a: { $ref: '#/definitions/word' } }, { definitions: { word: { type: 'string' } } }),
  };
  for (const written of [schema, structuredClone(schema)]) {
    expect(await findArgumentIssue({ a: 'x' }, written)).toBeUndefined();
    expect(await findArgumentIssue({ a: 1 }, written)).toBe('/a must be string.');
  }
});

test.each([
  [
    'a regular expression (ReDoS)',
    object({ a: { pattern: '^(a+)+$' } }),
    { a: `${'a'.repeat(60)}!` },
  ],
  [
    'recursive references',
    object({ a: { anyOf: Array(9).fill({ $ref: '#' }) } }, { required: ['z'] }),
    Array.from({ length: 30 }).reduce((inner) => ({ a: inner }), {}),
  ],
])('gives up on %s that would take forever', async (_name, schema, input) => {
  const ms = await cpuTimeUntilDone(async () => {
    expect(await findArgumentIssue(input, schema)).toMatch(
      /^(They take too long|.*must have required)/,
    );
  });
  expect(ms).toBeLessThan(1000);
});

test.each([
  ['a circular reference', { $ref: '#' }],
  ['an external reference', { $ref: 'https://example.org/schema.json' }],
  ['a broken regular expression', { pattern: '(' }],
  ['an unknown type', { properties: { b: { type: 'nope' } } }],
])('falls back to the first level of a schema with %s', async (_name, part) => {
  const schema = object({ a: { allOf: [part] }, n: { type: 'number' } }, { required: ['n'] });
  expect(await findArgumentIssue({ a: 1, n: 1 }, schema)).toBeUndefined();
  expect(await findArgumentIssue({ a: 1 }, schema)).toContain(`required property 'n'`);
});

test('rejects a schema that is too large or too deep', () => {
  const large = object({ a: { description: 'x'.repeat(1_000_000) } });
  const deep = Array.from({ length: 5000 }).reduce<Record<string, unknown>>((a) => ({ a }), {});
  expect(findSchemaIssue(large)).toContain('65536 characters');
  expect(findSchemaIssue(deep)).toContain('32 levels');
  expect(findSchemaIssue(object({}))).toBeUndefined();
});

test('falls back to the first level if compiling takes too long', async () => {
  const tree = (levels: number): Record<string, unknown> =>
    levels > 0 ? object({ a: tree(levels - 1), b: tree(levels - 1) }) : { type: 'string' };
  const schema = object({ n: { type: 'number' }, tree: tree(10) });
  const ms = await cpuTimeUntilDone(async () => {
    expect(await findArgumentIssue({ n: 'x' }, schema)).toBe('/n must be number.');
  });
  expect(ms).toBeLessThan(2000);
});

test('does not reject arguments because the CPU is busy', async () => {
  const busy = Array.from({ length: 4 }, () => new Worker('for (;;) {}', { eval: true }));
  onTestFinished(() => Promise.all(busy.map((worker) => worker.terminate())).then(() => undefined));
  await Promise.all(busy.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
  const schema = object({ n: { type: 'number' } });
  expect(await findArgumentIssue({}, schema)).toBeUndefined();
  let reads = 0;
  const input = {
    /** Blocks the first attempts. */
    get n() {
      reads += 1;
      if (reads <= 3) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      }
      return 1;
    },
  };
  expect(await findArgumentIssue(input, schema)).toBeUndefined();
});
