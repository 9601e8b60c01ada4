import { ByteBuffer } from './byte-buffer.ts';

/** How much JSON a parser is handed at most. All bounds are inclusive. */
export interface JsonLimits {
  maxBytes: number;
  /** Arrays and objects within each other. */
  maxDepth: number;
  /** Values in all: elements, members, and the containers themselves. */
  maxValues: number;
  /** Members of one object. */
  maxKeys: number;
  /** Bytes of one string, as it is written. */
  maxStringBytes: number;
}

/** JSON exceeds a limit. The message is a phrase that follows "more than", e.g. "50000 values of JSON". */
export class JsonLimitExceeded extends Error {
  readonly limit: keyof JsonLimits;

  constructor(limit: keyof JsonLimits, max: number) {
    super(`${max} ${units[limit]}`);
    this.limit = limit;
  }
}

const units: Readonly<Record<keyof JsonLimits, string>> = {
  maxBytes: 'bytes',
  maxDepth: 'levels of JSON',
  maxValues: 'values of JSON',
  maxKeys: 'keys in one object of JSON',
  maxStringBytes: 'bytes in one string of JSON',
};

const quote = 0x22;
const backslash = 0x5c;

/** The meanings of a byte outside of strings. */
const kinds = { other: 0, comma: 1, colon: 2, open: 3, close: 4, quote: 5 };
const kindOfByte = new Uint8Array(256);
for (const [text, kind] of [
  [',', kinds.comma],
  [':', kinds.colon],
  ['[{', kinds.open],
  [']}', kinds.close],
  ['"', kinds.quote],
] as const) {
  for (const character of text) {
    kindOfByte[character.charCodeAt(0)] = kind;
  }
}

export interface JsonMeter {
  /** Counts the next bytes. Throws `JsonLimitExceeded`. */
  read(bytes: Buffer): void;
  /** Ends a string: a line has ended, and a string of JSON holds no line end. */
  endLine(): void;
  /** Begins another document. */
  restart(): void;
}

/**
 * Counts what UTF-8 bytes of JSON hold before a parser allocates it: linear, and in constant memory. Bytes that
 * are no JSON are counted somehow, never below what a parser builds before it gives up.
 */
export function createJsonMeter(limits: JsonLimits): JsonMeter {
  const { maxDepth, maxValues, maxKeys, maxStringBytes } = limits;
  const keys = new Uint32Array(maxDepth + 1);
  let total = 0;
  let depth = 0;
  let values = 1;
  let isText = false;
  let isEscaped = false;
  let textBytes = 0;
  const exceed = (limit: keyof JsonLimits): never => {
    throw new JsonLimitExceeded(limit, limits[limit]);
  };
  /** Gives where the string ends, or the end of the bytes. */
  const readText = (bytes: Buffer, from: number): number => {
    const end = Math.min(bytes.length, from + maxStringBytes - textBytes + 1);
    let at = isEscaped ? from + 1 : from;
    for (; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === quote) {
        break;
      }
      at += byte === backslash ? 1 : 0;
    }
    isText = at >= end;
    isEscaped = at > bytes.length;
    textBytes += Math.min(at, bytes.length) - from;
    if (textBytes > maxStringBytes) {
      exceed('maxStringBytes');
    }
    return isText ? bytes.length : at + 1;
  };
  /** Gives where a string begins, or the end of the bytes. */
  const readStructure = (bytes: Buffer, from: number): number => {
    for (let at = from; at < bytes.length; at += 1) {
      const kind = kindOfByte[bytes[at] as number] as number;
      if (kind === kinds.other) {
        continue;
      }
      if (kind === kinds.quote) {
        isText = true;
        textBytes = 0;
        return at + 1;
      }
      if (kind === kinds.close) {
        depth = Math.max(0, depth - 1);
      } else if (kind === kinds.colon) {
        keys[depth] = (keys[depth] as number) + 1;
        if ((keys[depth] as number) > maxKeys) {
          exceed('maxKeys');
        }
      } else {
        values += 1;
        if (values > maxValues) {
          exceed('maxValues');
        }
        if (kind === kinds.open) {
          depth += 1;
          if (depth > maxDepth) {
            exceed('maxDepth');
          }
          keys[depth] = 0;
        }
      }
    }
    return bytes.length;
  };
  return {
    read: (bytes) => {
      total += bytes.length;
      if (total > limits.maxBytes) {
        exceed('maxBytes');
      }
      for (let at = 0; at < bytes.length; ) {
        at = isText ? readText(bytes, at) : readStructure(bytes, at);
      }
    },
    endLine: () => {
      isText = false;
      isEscaped = false;
    },
    restart: () => {
      total = 0;
      depth = 0;
      values = 1;
      keys[0] = 0;
      isText = false;
      isEscaped = false;
    },
  };
}

/**
 * Parses JSON from another process or host.
 *
 * @throws `JsonLimitExceeded`, or `SyntaxError` where it is not JSON
 */
export function parseBoundedJson(text: string, limits: JsonLimits): unknown {
  createJsonMeter(limits).read(Buffer.from(text));
  return JSON.parse(text);
}

/**
 * Reads and parses the JSON of an answer; reading ends at the first limit that is exceeded.
 *
 * @throws `JsonLimitExceeded`, `SyntaxError`, or what ends the stream
 */
export async function readBoundedJson(
  body: AsyncIterable<Uint8Array> | null,
  limits: JsonLimits,
): Promise<unknown> {
  const meter = createJsonMeter(limits);
  const all = new ByteBuffer();
  for await (const chunk of body ?? []) {
    meter.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    all.add(chunk);
  }
  return JSON.parse(all.take().toString('utf8'));
}
