import { expect, it } from 'vitest';
import { hunkRows } from './hunk-rows.ts';

it('numbers the lines of a hunk as in the old and the new text', () => {
  const hunk = { oldStart: 4, oldLines: 3, newStart: 5, newLines: 3 };
  const rows = hunkRows({ ...hunk, lines: [' a', '-b', '+-c', ' d'] });
  expect(rows.map(({ sign, before, after, text }) => [sign, before, after, text])).toEqual([
    [' ', 4, 5, 'a'],
    ['-', 5, undefined, 'b'],
    ['+', undefined, 6, '-c'],
    [' ', 6, 7, 'd'],
  ]);
});
