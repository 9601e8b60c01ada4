import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCleanLines } from './count-clean-lines.ts';

const byte = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(0x09, 0x0a, 0x20, 0x41, 0x7e, 0x80, 0x8a, 0xff) },
  fc.integer({ min: 0, max: 255 }),
);

test('counts line ends at any byte offset, unless there is a control character', () => {
  fc.assert(
    fc.property(fc.array(byte), fc.nat({ max: 5 }), (bytes, start) => {
      const isUnclean = bytes.some(
        (each) => (each < 0x20 && each !== 9 && each !== 10) || each === 0x7f,
      );
      const lines = bytes.filter((each) => each === 10).length;
      const placed = Uint8Array.of(...bytes.slice(0, start).fill(0), ...bytes).subarray(
        Math.min(start, bytes.length),
      );
      expect(countCleanLines(placed)).toBe(isUnclean ? undefined : lines);
    }),
    { numRuns: 2000 },
  );
});
