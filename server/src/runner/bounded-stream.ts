import { counted } from '../lib/counted.ts';

/** What a stream has said: its beginning and its end, with a line between that says how much is missing. */
export interface KeptStream {
  push(chunk: Uint8Array): void;
  /** Bytes so far. */
  readonly length: number;
  text(): string;
}

/**
 * Takes no longer for many small chunks than for a few large ones.
 *
 * @param most bytes that are kept, three quarters of them from the beginning
 */
export function keepStream(most: number): KeptStream {
  const head = Buffer.alloc(Math.floor(most * 0.75));
  /** The end goes round in it. */
  const tail = Buffer.alloc(most - head.length);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (chunk) => {
      // Single bytes come by the million: views of them would take longer than the bytes.
      const inHead = Math.min(chunk.length, Math.max(0, head.length - length));
      if (inHead > 0) {
        head.set(inHead === chunk.length ? chunk : chunk.subarray(0, inHead), length);
      }
      length += chunk.length;
      const inTail = Math.min(chunk.length - inHead, tail.length);
      if (inTail > 0) {
        const last = inTail === chunk.length ? chunk : chunk.subarray(-inTail);
        // Where its first byte goes, so that byte number n is at n modulo the length.
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
      const gap = missing > 0 ? `\n[${counted(missing, 'byte')} left out here]\n` : '';
      return Buffer.concat([head.subarray(0, length), Buffer.from(gap), ...end]).toString('utf8');
    },
  };
}
