import { type Problem, problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler, Response } from 'express';
import { hasBody, isOnClosingConnection } from './close-connection-after.ts';
import { sendProblem } from './problem-handler.ts';

/** Express setting: timeout for receiving a body, in milliseconds. */
export const bodyTimeout = 'body timeout';

/** Express setting: timeout for receiving an upload, in milliseconds. */
export const uploadTimeout = 'upload timeout';

const stalledMs = 30_000;
/** Minimum bytes per interval. */
const stalledBytes = 16 * 1024;

const deadlines = new WeakMap<Request, NodeJS.Timeout>();

/** Times out a request whose body arrives too slowly (Slowloris): responds with a problem unless a response was sent. */
export const limitBodyTime: RequestHandler = (request, response, next) => {
  if (isOnClosingConnection(request)) {
    request.destroy();
    return;
  }
  if (hasBody(request)) {
    const ms: number = request.app.get(bodyTimeout);
    const late = () => problem('too-slow', `The body did not come within ${seconds(ms)}.`);
    const deadline = setTimeout(() => end(request, response, late()), ms);
    deadlines.set(request, deadline);
    request.once('close', () => clearTimeout(deadline));
    response.once('close', () => request.complete && clearTimeout(deadline));
  }
  next();
};

const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;

function end(request: Request, response: Response, late: Problem): void {
  if (request.complete) {
    return;
  }
  if (response.headersSent) {
    request.destroy();
    return;
  }
  // After its response has ended, Node emits no close on the request: its reader would wait forever.
  request.socket.once('close', () => request.destroy());
  sendProblem(response, late);
}

/**
 * Limits the time in which an upload arrives, from its turn on, and destroys a request that has stalled.
 *
 * @returns ends the limit
 */
export function limitUploadTime(request: Request): () => void {
  const ms: number = request.app.get(uploadTimeout);
  const late = () =>
    problem(
      'too-slow',
      `The upload did not arrive within ${seconds(ms)}. Send less at once, or use a faster connection.`,
    );
  const deadline = setTimeout(() => request.res && end(request, request.res, late()), ms);
  let read = 0;
  const stalled = setInterval(() => {
    if (request.socket.bytesRead < read + stalledBytes) {
      request.destroy();
    }
    read = request.socket.bytesRead;
  }, stalledMs);
  return () => {
    clearTimeout(deadline);
    clearInterval(stalled);
  };
}

/** Lifts the body timeout, for uploads: their time begins with their turn. */
export const liftBodyTimeout: RequestHandler = (request, _response, next) => {
  clearTimeout(deadlines.get(request));
  next();
};
