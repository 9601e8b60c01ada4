import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Response as UndiciResponse } from 'undici';
import { ByteBuffer } from '../byte-buffer.ts';
import { createEventMeter, TooManyLines } from '../event-meter.ts';
import { getErrorMessage } from '../get-error-message.ts';
import { ignore } from '../ignore.ts';
import { createJsonMeter, JsonLimitExceeded } from '../json-meter.ts';
import type { OutboundLimits, OutboundWatch } from './outbound-limits.ts';
import { OutboundRefused } from './outbound-rules.ts';

interface Bounds {
  url: URL;
  watch: OutboundWatch;
  limits: OutboundLimits;
}

/** Chunk size of streams: a few dozen of the shortest messages. */
const pieceBytes = 4096;
/** Chunk size of other bodies. */
const blockBytes = 64 * 1024;

const lineFeed = 10;
const carriageReturn = 13;

/** Wraps a response in a standard `Response` with a bounded body; the watch ends with it. */
export function boundedResponse(answer: UndiciResponse, { url, watch, limits }: Bounds): Response {
  watch.gotHeaders();
  const { status, statusText } = answer;
  const isStream =
    limits.streams && /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
  if (isStream) {
    watch.mayGoOn();
  }
  const measure = meterFor(limits, isStream);
  const check = (chunk: Buffer) => {
    try {
      measure(chunk);
    } catch (error) {
      const refused = refusalFor(error, url.host, isStream);
      limits.onExceeded?.(refused);
      throw refused;
    }
  };
  const body = answer.body ? boundedBody(answer.body, { watch, check, isStream }) : null;
  if (!body) {
    watch.end();
  }
  const response = new Response(body, { status, statusText, headers: [...answer.headers] });
  return Object.defineProperty(response, 'url', { value: url.href });
}

function meterFor({ maxBytes, json }: OutboundLimits, isStream: boolean): (chunk: Buffer) => void {
  if (!json) {
    let bytes = 0;
    return (chunk) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new JsonLimitExceeded('maxBytes', maxBytes);
      }
    };
  }
  const limits = { ...json, maxBytes };
  return isStream ? createEventMeter(limits) : createJsonMeter(limits).read;
}

function refusalFor(error: unknown, host: string, isStream: boolean): OutboundRefused {
  const isOneEvent = isStream && !(error instanceof TooManyLines);
  return new OutboundRefused(
    'size',
    `${host} sent more than ${getErrorMessage(error)}${isOneEvent ? ' in one event' : ''}.`,
  );
}

interface Reading {
  watch: OutboundWatch;
  check: (chunk: Buffer) => void;
  isStream: boolean;
}

function boundedBody(
  body: NonNullable<UndiciResponse['body']>,
  { watch, check, isStream }: Reading,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const stop = (reason: unknown) => {
    watch.end();
    return reader.cancel(reason).catch(() => undefined);
  };
  const readChunk = async () => {
    const { value } = await reader.read();
    const chunk = value && Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (chunk) {
      check(chunk);
    }
    return chunk;
  };
  const next = isStream ? readLines(readChunk) : readBlocks(readChunk);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await next();
          if (bytes) {
            controller.enqueue(bytes);
            return;
          }
          watch.end();
          controller.close();
        } catch (error) {
          stop(error).catch(ignore);
          controller.error(watch.signal.aborted ? watch.signal.reason : error);
        }
      },
      cancel: async (reason) => stop(reason),
    },
    // No read-ahead, so that backpressure reaches the sender.
    { highWaterMark: 0 },
  );
}

/** Returns the next chunk; undefined at the end. */
type Read = () => Promise<Buffer | undefined>;

/** Joins small chunks, whose overhead far exceeds their bytes. */
function readBlocks(readChunk: Read): Read {
  let isOver = false;
  return async () => {
    const block = new ByteBuffer();
    while (!isOver && block.length < blockBytes) {
      const chunk = await readChunk();
      isOver = !chunk;
      block.add(chunk ?? Buffer.alloc(0));
    }
    return block.length > 0 ? block.take() : undefined;
  };
}

/**
 * Emits a few whole lines at a time and yields to the event loop. Stream parsers rescan incomplete
 * lines with each chunk, and handle all messages of a chunk synchronously.
 */
function readLines(readChunk: Read): Read {
  const rest = new ByteBuffer();
  let lines: Buffer = Buffer.alloc(0);
  let isOver = false;
  return async () => {
    while (lines.length === 0 && !isOver) {
      const chunk = await readChunk();
      isOver = !chunk;
      const end = chunk
        ? Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn))
        : -1;
      rest.add(chunk?.subarray(0, end + 1) ?? Buffer.alloc(0));
      if (!chunk || end >= 0) {
        lines = rest.take();
      }
      rest.add(chunk?.subarray(end + 1) ?? Buffer.alloc(0));
    }
    const piece = lines.subarray(0, pieceLength(lines));
    lines = lines.subarray(piece.length);
    await yieldToEventLoop();
    return piece.length > 0 ? piece : undefined;
  };
}

function pieceLength(lines: Buffer): number {
  const within = lines.lastIndexOf(lineFeed, pieceBytes - 1) + 1;
  const beyond = within > 0 ? within : lines.indexOf(lineFeed, pieceBytes) + 1;
  return lines.length > pieceBytes && beyond > 0 ? beyond : lines.length;
}
