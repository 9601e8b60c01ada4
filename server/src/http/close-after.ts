import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** So long a sender may go on before the connection is cut. */
const lingerMs = 5000;

const closing = new WeakSet<Socket>();

/**
 * Ends the connection after an answer that was given before its request was read to the end. Node would
 * cut it at once, and a sender who is still at it would lose the answer: the end is announced, and what
 * still comes is thrown away for a while.
 */
export function closeAfter(response: Response): void {
  const { req: request } = response;
  const { socket } = request;
  response.set('Connection', 'close');
  closing.add(socket);
  socket.destroySoon = () => {
    socket.end();
    request.resume();
    const cut = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(cut));
  };
}

/** Whether this request came behind one whose answer has ended the connection. */
export function isTooLate({ socket }: Request): boolean {
  return closing.has(socket);
}

/** Whether more is to come than the headers. */
export function announcesBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
