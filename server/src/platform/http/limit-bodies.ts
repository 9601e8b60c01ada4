import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler, Response } from 'express';
import { hasBody, isOnClosingConnection } from './close-connection-after.ts';
import { sendProblem } from './problem-handler.ts';

/** Express setting: timeout for receiving a body, in milliseconds. */
export const bodyTimeout = 'body timeout';

const deadlines = new WeakMap<Request, NodeJS.Timeout>();

/** Times out a request whose body arrives too slowly (Slowloris): responds with a problem unless a response was sent. */
export const limitBodyTime: RequestHandler = (request, response, next) => {
  if (isOnClosingConnection(request)) {
    request.destroy();
    return;
  }
  if (hasBody(request)) {
    const ms: number = request.app.get(bodyTimeout);
    const deadline = setTimeout(() => end(request, response, ms), ms);
    deadlines.set(request, deadline);
    request.once('close', () => clearTimeout(deadline));
    response.once('close', () => request.complete && clearTimeout(deadline));
  }
  next();
};

function end(request: Request, response: Response, ms: number): void {
  if (request.complete) {
    return;
  }
  if (response.headersSent) {
    request.destroy();
    return;
  }
  const seconds = Math.ceil(ms / 1000);
  sendProblem(response, problem('too-slow', `The body did not come within ${seconds} s.`));
}

/** Lifts the body timeout, for uploads. */
export const liftBodyTimeout: RequestHandler = (request, _response, next) => {
  clearTimeout(deadlines.get(request));
  next();
};
