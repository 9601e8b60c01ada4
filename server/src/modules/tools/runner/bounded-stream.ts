import { formatCount } from '../../../platform/lib/format-count.ts';

/**
 * A bounded buffer of a stream: its head and tail, with a note about how much is missing in
 * between.
 */
export interface BoundedStream {
  push(chunk: Uint8Array): void;
  /** Total bytes written so far. */
  readonly length: number;
  text(): string;
}

/**
 * Constant cost per byte, whatever the chunk size.
 *
 * @param maxBytes buffered bytes, three quarters of them for the head
 */
export function createBoundedStream(maxBytes: number): BoundedStream {
  const head = Buffer.alloc(Math.floor(maxBytes * 0.75));
  /** Ring buffer. */
  const tail = Buffer.alloc(maxBytes - head.length);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (chunk) => {
      // Single bytes arrive by the million: creating views would cost more than copying.
      const inHead = Math.min(chunk.length, Math.max(0, head.length - length));
      if (inHead > 0) {
        head.set(inHead === chunk.length ? chunk : chunk.subarray(0, inHead), length);
      }
      length += chunk.length;
      const inTail = Math.min(chunk.length - inHead, tail.length);
      if (inTail > 0) {
        const last = inTail === chunk.length ? chunk : chunk.subarray(-inTail);
        // Ring position of the first byte: byte n is at n modulo the length.
        const at = (length - head.length - inTail) % tail.length;
        const fits = Math.min(inTail, tail.length - at);
        tail.set(fits === inTail ? last : last.subarray(0, fits), at);
        if (fits < inTail) {
          tail.set(last.subarray(fits), 0);
        }
      }
    },
    text: () => {
      const after = Math.max(0, length - head.length);
      const at = after % tail.length;
      const end =
        after > tail.length ? [tail.subarray(at), tail.subarray(0, at)] : [tail.subarray(0, after)];
      const missing = after - Math.min(after, tail.length);
      const gap = missing > 0 ? `\n[${formatCount(missing, 'byte')} left out here]\n` : '';
      return Buffer.concat([head.subarray(0, length), Buffer.from(gap), ...end]).toString('utf8');
    },
  };
}
