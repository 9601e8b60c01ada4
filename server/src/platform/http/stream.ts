import type { StreamEndpoint } from '@knowhow/shared/endpoint';
import type { Response, Router } from 'express';
import { disconnectedProblem } from './disconnect-signal.ts';
import { type Call, parseCall, register } from './route.ts';

/** A consumer of event frames, with backpressure. */
interface Reader {
  /** False to pause until `resume`. */
  take(bytes: Uint8Array): boolean;
  end(): void;
}

/** Sends events to a reader from now on. Called at most once, and only while the client is connected. */
export type Follow = (reader: Reader) => {
  /** The reader accepts more. */
  resume(): void;
  unsubscribe(): void;
};

type Handler<E extends StreamEndpoint> = (call: Call<E>) => Promise<Follow | undefined>;

const heartbeatMs = 15_000;

/**
 * Registers the handler of a contract with a response of server-sent events. Responds with 204, which keeps a
 * browser's `EventSource` from reconnecting, if there is nothing to follow. Errors become ordinary problems.
 * The handler is not called for disconnected clients; later disconnects only unsubscribe.
 */
export function stream<E extends StreamEndpoint>(
  router: Router,
  endpoint: E,
  handle: Handler<E>,
): void {
  register(router, endpoint, async (request, response) => {
    if (response.closed) {
      throw disconnectedProblem();
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
    // Keeps proxies from compressing, which would buffer events.
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
