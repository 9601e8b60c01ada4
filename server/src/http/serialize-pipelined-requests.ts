import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection. Browsers and proxies send a request when they have the answer to the one before. */
const mostWaiting = 10;

type Waiting = [request: IncomingMessage, response: ServerResponse];

/**
 * Answers the requests of a connection one after the other, also when they come at once (pipelining);
 * a connection with more than ten waiting is cut off.
 *
 * Node would begin them all, thousands for 64 KiB, and an answer that waits for those before it never
 * hears that its reader has gone: what it has opened, and counts, would be kept for good.
 */
export function serializePipelinedRequests(handle: RequestListener): RequestListener {
  const busy = new WeakMap<Socket, Waiting[]>();
  const answer = (socket: Socket, [request, response]: Waiting) => {
    response.once('close', () => {
      const next = busy.get(socket)?.shift();
      // After the last answer of a connection none of those that wait can be sent.
      if (next && socket.writable) {
        answer(socket, next);
      } else {
        busy.delete(socket);
      }
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const waiting = busy.get(socket);
    if (socket.destroyed || (waiting && waiting.length >= mostWaiting)) {
      socket.destroy();
    } else if (waiting) {
      waiting.push([request, response]);
    } else {
      busy.set(socket, []);
      answer(socket, [request, response]);
    }
  };
}
