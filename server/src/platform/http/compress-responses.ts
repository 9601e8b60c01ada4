import compression from 'compression';
import type { RequestHandler } from 'express';

/** Compresses GET responses. Event streams opt out with `no-transform`. */
export function compressResponses(): RequestHandler {
  const compress = compression();
  return (request, response, next) => {
    if (request.method === 'GET') {
      compress(request, response, next);
      return;
    }
    next();
  };
}
