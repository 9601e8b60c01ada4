import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** How long a client may keep sending before the connection is destroyed. */
const lingerMs = 5000;

const closing = new WeakSet<Socket>();

/**
 * Closes the connection after a response that was sent before the request was read completely. Node would
 * close it at once, and a client that is still sending would lose the response. Therefore this half-closes
 * the socket and discards further input for a while.
 */
export function closeConnectionAfter(response: Response): void {
  const { req: request } = response;
  const { socket } = request;
  response.set('Connection', 'close');
  closing.add(socket);
  socket.destroySoon = () => {
    socket.end();
    request.resume();
    const destroyTimer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(destroyTimer));
  };
}

/** Whether this request was pipelined behind one whose response closes the connection. */
export function isOnClosingConnection({ socket }: Request): boolean {
  return closing.has(socket);
}

/** Whether the request has a body. */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
