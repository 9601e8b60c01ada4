import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';
import { isProbe } from './observe-requests.ts';

/** A host name or IP address with optional port. */
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Rejects requests whose Host header is missing, duplicated or malformed. */
export const requireValidHost: RequestHandler = (request, _response, next) => {
  // Undefined in HTTP/1.0, despite its type.
  const host: string | undefined = request.host;
  const hostCount = request.headersDistinct.host?.length ?? 0;
  if (isProbe(request)) {
    next();
    return;
  }
  if (host === undefined || hostCount > 1 || !hostPattern.test(host)) {
    throw problem(
      'bad-request',
      'The request must name one host, such as "Host: know.example.org".',
    );
  }
  next();
};
