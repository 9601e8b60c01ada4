import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Per connection. Browsers and proxies send a request only after the previous response. */
const maxWaiting = 10;

type Waiting = [request: IncomingMessage, response: ServerResponse];

/**
 * Handles pipelined requests of a connection one at a time, and destroys a connection with more than ten
 * waiting.
 *
 * Node would start them all, thousands for 64 KiB. A response that waits for earlier ones never notices that
 * its client has disconnected, so its resources and rate-limit slots would leak.
 */
export function serializePipelinedRequests(handle: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, Waiting[]>();
  const answer = (socket: Socket, [request, response]: Waiting) => {
    response.once('close', () => {
      const next = queues.get(socket)?.shift();
      // If the connection ends with this response, the waiting ones cannot be sent.
      if (next && socket.writable) {
        answer(socket, next);
      } else {
        queues.delete(socket);
      }
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const waiting = queues.get(socket);
    if (socket.destroyed || (waiting && waiting.length >= maxWaiting)) {
      socket.destroy();
    } else if (waiting) {
      waiting.push([request, response]);
    } else {
      queues.set(socket, []);
      answer(socket, [request, response]);
    }
  };
}
