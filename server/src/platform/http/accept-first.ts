import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { healthApi } from '@knowhow/shared/config/health';

/** Milliseconds of one turn of the event loop in which requests are begun. */
const sliceMs = 10;
/** Milliseconds for which new connections may keep waiting requests from being begun. */
const maxDelayMs = 20;

/**
 * Begins requests only when no connection is arriving, a few in each turn of the event loop. Health is answered at once,
 * and so is a request on the newest connection: a client that half-closes it after sending would get no answer later.
 *
 * libuv accepts one connection in each turn. If every turn began all requests that had arrived, the last of 50
 * connections at once would wait 1.5 s to be accepted, and a health check that opens one would wait with it.
 */
export function acceptFirst(server: Server, handle: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  let hasAccepted = false;
  let delayedSince = 0;
  let newest: Socket | undefined;
  let newestSince = 0;
  server.on('connection', (socket) => {
    hasAccepted = true;
    newest = socket;
    newestSince = performance.now();
  });
  /** Whether another connection has arrived since this one, a moment ago. */
  const isBurst = (socket: Socket) =>
    waiting.length > 0 || (newest !== socket && performance.now() - newestSince < maxDelayMs);
  const beginSome = () => {
    const ends = performance.now() + sliceMs;
    do {
      const [request, response] = waiting.shift() ?? [];
      if (request && response && !response.closed) {
        handle(request, response);
      }
    } while (waiting.length > 0 && performance.now() < ends);
    delayedSince = performance.now();
  };
  const takeTurn = () => {
    const isDelayed = hasAccepted && performance.now() - delayedSince < maxDelayMs;
    hasAccepted = false;
    if (!isDelayed) {
      beginSome();
    }
    if (waiting.length > 0) {
      setImmediate(takeTurn);
    }
  };
  return (request, response) => {
    if (request.url === healthApi.health.path || !isBurst(request.socket)) {
      handle(request, response);
    } else if (waiting.push([request, response]) === 1) {
      delayedSince = performance.now();
      setImmediate(takeTurn);
    }
  };
}
