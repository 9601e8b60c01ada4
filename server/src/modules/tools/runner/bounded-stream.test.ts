import { expect, test } from 'vitest';
import { cpuTime } from '../../../testing/cpu-time.ts';
import { createBoundedStream } from './bounded-stream.ts';

function textOf(most: number, text: string, piece: number): string {
  const bytes = Buffer.from(text);
  const stream = createBoundedStream(most);
  for (let at = 0; at < bytes.length; at += piece) {
    stream.push(bytes.subarray(at, at + piece));
  }
  expect(stream.length).toBe(bytes.length);
  return stream.text();
}

const digits = (length: number) => '0123456789'.repeat(length / 10 + 1).slice(0, length);

test.each([
  [0, ''],
  [15, '012345678901234'],
  [20, '01234567890123456789'],
  [21, '012345678901234\n[1 byte left out here]\n67890'],
  [58, '012345678901234\n[38 bytes left out here]\n34567'],
])('keeps head and tail of %i bytes, whatever the chunk size', (length, expected) => {
  for (const piece of [1, 2, 3, 7, 16, 100]) {
    expect(textOf(20, digits(length), piece)).toBe(expected);
  }
});

test('buffers a million single bytes without copying quadratically', () => {
  expect(cpuTime(() => textOf(64 * 1024, digits(1_000_000), 1))).toBeLessThan(3000);
});
