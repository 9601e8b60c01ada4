import type { Response as UndiciResponse } from 'undici';
import { ignore } from '../ignore.ts';
import type { OutboundLimits, OutboundWatch } from './outbound-limits.ts';
import { OutboundRefused } from './outbound-rules.ts';

interface Bounds {
  url: URL;
  watch: OutboundWatch;
  limits: OutboundLimits;
}

const newline = 10;
const carriageReturn = 13;

/** The same answer as a `Response` of Node, its body within the limits; the watch ends with the body. */
export function boundedResponse(answer: UndiciResponse, { url, watch, limits }: Bounds): Response {
  watch.gotHeaders();
  const { status, statusText } = answer;
  const isStream =
    limits.streams && /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
  if (isStream) {
    watch.mayGoOn();
  }
  const size = isStream ? sizeOfEvent() : sizeOfAll();
  const check = (chunk: Uint8Array) => {
    if (size(chunk) > limits.maxBytes) {
      const text = `${url.host} sent more than ${limits.maxBytes} bytes${isStream ? ' in one event' : ''}.`;
      throw new OutboundRefused('size', text);
    }
  };
  const body = answer.body ? boundedBody(answer.body, watch, check) : null;
  if (!body) {
    watch.end();
  }
  const response = new Response(body, { status, statusText, headers: [...answer.headers] });
  return Object.defineProperty(response, 'url', { value: url.href });
}

function boundedBody(
  body: NonNullable<UndiciResponse['body']>,
  watch: OutboundWatch,
  check: (chunk: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const stop = (reason: unknown) => {
    watch.end();
    return reader.cancel(reason).catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            watch.end();
            controller.close();
            return;
          }
          check(value);
          controller.enqueue(value);
        } catch (error) {
          stop(error).catch(ignore);
          controller.error(watch.signal.aborted ? watch.signal.reason : error);
        }
      },
      cancel: async (reason) => stop(reason),
    },
    // Nothing is read before somebody wants it.
    { highWaterMark: 0 },
  );
}

function sizeOfAll(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    return bytes;
  };
}

/** Bytes of the event that is under way: it ends with an empty line. */
function sizeOfEvent(): (chunk: Uint8Array) => number {
  let event = 0;
  let line = 0;
  return (chunk) => {
    let largest = 0;
    for (const byte of chunk) {
      event = byte === newline && line === 0 ? 0 : event + 1;
      line = byte === newline ? 0 : line + (byte === carriageReturn ? 0 : 1);
      largest = Math.max(largest, event);
    }
    return largest;
  };
}
