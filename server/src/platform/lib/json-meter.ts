import { ByteBuffer } from './byte-buffer.ts';

/** Limits of untrusted JSON. All bounds are inclusive. */
export interface JsonLimits {
  maxBytes: number;
  /** Nesting of arrays and objects. */
  maxDepth: number;
  /** Total number of values: elements, members, and containers. */
  maxValues: number;
  /** Members of one object. */
  maxKeys: number;
  /** Bytes of one string, as encoded. */
  maxStringBytes: number;
}

/** JSON exceeds a limit. The message completes "more than", e.g. "50000 values of JSON". */
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

/** Classes of bytes outside strings. */
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
  /** Consumes bytes. Throws `JsonLimitExceeded`. */
  read(bytes: Buffer): void;
  /** Ends a string at a line end, since JSON strings cannot contain one. */
  endLine(): void;
  /** Starts another document. */
  restart(): void;
}

/**
 * Measures UTF-8 JSON before a parser allocates it: linear time, constant memory. For invalid JSON,
 * the counts are never below what a parser builds before it fails.
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
  /** Returns the end of the string, or of the bytes. */
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
  /** Returns the start of the next string, or the end of the bytes. */
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
 * Parses untrusted JSON, with or without a byte order mark.
 *
 * @throws `JsonLimitExceeded`, or `SyntaxError` for invalid JSON
 */
export function parseBoundedJson(text: string, limits: JsonLimits): unknown {
  const json = text.replace(/^\uFEFF/, '');
  createJsonMeter(limits).read(Buffer.from(json));
  return JSON.parse(json);
}

/**
 * Reads and parses a JSON response, aborting at the first exceeded limit.
 *
 * @throws `JsonLimitExceeded`, `SyntaxError`, or stream errors
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
