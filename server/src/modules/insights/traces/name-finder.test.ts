import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime } from '../../../testing/cpu-time.ts';
import { nameFinder } from './name-finder.ts';

test('finds exactly the names contained in a text', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'ü'), maxLength: 5 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'ü', ' '), maxLength: 30 });
  fc.assert(
    fc.property(fc.array(name), text, (names, written) => {
      const finder = nameFinder(names);
      const expected = names.filter((each) => each !== '' && written.includes(each));
      expect([...finder.namesIn(written)].sort()).toEqual([...new Set(expected)].sort());
      expect(finder.isIn(written)).toBe(expected.length > 0);
    }),
  );
});

test('finds 20,000 names in a long text with their common prefix quickly', () => {
  const finder = nameFinder(Array.from({ length: 20_000 }, (_, at) => `skill-of-team-${at}`));
  const text = 'skill-of-team-x '.repeat(100_000);
  expect(cpuTime(() => finder.isIn(text))).toBeLessThan(1000);
});
