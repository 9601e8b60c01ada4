import type { StreamEndpoint } from '@knowhow/shared/endpoint';
import type { Response, Router } from 'express';
import { readerGone } from './disconnect-signal.ts';
import { type Call, parseCall, register } from './route.ts';

/** Who gets the lines of events, as far as it takes them. */
interface Reader {
  /** False when that is enough for now. */
  take(bytes: Uint8Array): boolean;
  end(): void;
}

/** Sends events to a reader from now on. Called at most once, while there is one. */
type Follow = (reader: Reader) => {
  /** The reader takes more. */
  resume(): void;
  unsubscribe(): void;
};

type Handler<E extends StreamEndpoint> = (call: Call<E>) => Promise<Follow | undefined>;

const heartbeatMs = 15_000;

/**
 * Registers the one handler of a contract that is answered with server-sent events; with 204, which tells
 * a browser's `EventSource` not to ask again, when it gives nothing to follow. What it throws is an ordinary
 * problem. It is not called for a reader who has gone before; one who goes later only leaves.
 */
export function stream<E extends StreamEndpoint>(
  router: Router,
  endpoint: E,
  handle: Handler<E>,
): void {
  register(router, endpoint, async (request, response) => {
    if (response.closed) {
      throw readerGone();
    }
    const follow = await handle(parseCall(endpoint, request, response));
    if (!follow) {
      response.status(204).end();
    } else if (!response.closed) {
      sendEvents(response, follow);
    }
  });
}

function sendEvents(response: Response, follow: Follow): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Whoever compresses on the way would hold events back.
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  const { resume, unsubscribe } = follow({
    take: (bytes) => response.write(bytes),
    end: () => {
      response.end();
    },
  });
  response.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) {
      response.write(': still here\n\n');
    }
  }, heartbeatMs);
  response.on('drain', resume);
  response.once('close', () => {
    clearInterval(heartbeat);
    unsubscribe();
  });
}
