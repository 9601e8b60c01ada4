import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const paths = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.css'));

/** Properties and values that name a side of the screen instead of a side of the text. */
const physical = [
  /(?:margin|padding|border)-(?:left|right)\b/,
  /(?:text-align|float): (?:left|right)/,
  /^\s*(?:left|right): (?!50%)/,
  /^\s*(?:margin|padding): [^\s()]+ ([^\s()]+) [^\s()]+ (?!\1;)[^\s()]+;/,
];

it.each(paths)('the layout of %s follows the direction of the text', (path) => {
  const lines = readFileSync(`${folder}${path}`, 'utf8')
    .split('\n')
    .filter((line) => physical.some((pattern) => pattern.test(line)));
  expect(lines).toEqual([]);
});
