import compression from 'compression';
import type { RequestHandler } from 'express';

/** Compresses what is read, never a stream of events, which says so itself where it is read. */
export function compressed(): RequestHandler {
  const compress = compression();
  return (request, response, next) => {
    if (request.method === 'GET') {
      compress(request, response, next);
      return;
    }
    next();
  };
}
