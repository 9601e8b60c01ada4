/** What a stream has said: its beginning and its end, with a line between that says how much is missing. */
export interface KeptStream {
  push(chunk: Buffer): void;
  /** Bytes so far. */
  readonly length: number;
  text(): string;
}

/** @param most bytes that are kept, three quarters of them from the beginning */
export function keepStream(most: number): KeptStream {
  const headBytes = Math.floor(most * 0.75);
  const tailBytes = most - headBytes;
  const head: Buffer[] = [];
  let headLength = 0;
  let tail = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (chunk) => {
      length += chunk.length;
      const first = chunk.subarray(0, headBytes - headLength);
      if (first.length > 0) {
        head.push(first);
        headLength += first.length;
      }
      const rest = chunk.subarray(first.length);
      if (rest.length > 0) {
        tail = Buffer.concat([tail, rest.subarray(-tailBytes)]).subarray(-tailBytes);
      }
    },
    text: () => {
      const missing = length - headLength - tail.length;
      const gap = missing > 0 ? `\n[${missing} bytes are left out here.]\n` : '';
      return Buffer.concat([...head, Buffer.from(gap), tail]).toString('utf8');
    },
  };
}
