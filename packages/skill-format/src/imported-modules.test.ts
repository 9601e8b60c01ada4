import { expect, test } from 'vitest';
import { cpuTime } from '../../../server/src/testing/cpu-time.ts';
import { importedModules } from './imported-modules.ts';

const size = 1024 * 1024;
const repeated = (part: string, start = '') =>
  start + part.repeat(Math.ceil(size / part.length)).slice(0, size - start.length);
const modulesIn = (text: string) =>
  importedModules({ path: 'scripts/run.mjs', bytes: Buffer.from(text) });

test.each([
  ['a comment without an end', repeated('*', '/*')],
  ['a text without an end', repeated('\\"', '"')],
  ['a template without an end', repeated('\\`${', '`')],
  ['quotes', repeated("'")],
  ['slashes', repeated('(/a')],
  ['a class without an end', repeated('=/[')],
  ['classes with a slash', repeated('[=/]x')],
  ['long classes with a slash', repeated(`[=/${'x'.repeat(190)}]`)],
  ['a regular expression without an end', repeated('[x]\\/', '=/')],
  ['regular expressions without an end', repeated('=/a\n')],
  ['one word', repeated('import')],
  ['escaped characters', repeated('\\x2e', "import '")],
  ['imports', repeated("import '../x';")],
])('searches 1 MiB of %s for imports in linear time', (_, text) => {
  expect(cpuTime(() => modulesIn(text))).toBeLessThan(2000);
});

test.each([
  ["const half = a / 2; import run from '../run.mjs';"],
  ["const quote = /['\"`]/; import run from '../run.mjs';"],
  ["const slash = /[/'\"]/g; import run from '../run.mjs';"],
  ["const odd = { a } / b['c'];\nconst quote = /'/;\nimport run from '../run.mjs';"],
])('finds the import in %s', (text) => expect(modulesIn(text)).toEqual(['../run.mjs']));
