import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';
import { isProbe } from './observe-requests.ts';

/** A name or an address, perhaps with a port. */
const pattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Refuses a request that does not say, or not clearly, under which name it has reached us. */
export const wellFormedHost: RequestHandler = (request, _response, next) => {
  // Undefined at HTTP/1.0, whatever the types say.
  const host: string | undefined = request.host;
  const said = request.headersDistinct.host?.length ?? 0;
  if (isProbe(request)) {
    next();
    return;
  }
  if (host === undefined || said > 1 || !pattern.test(host)) {
    throw problem(
      'bad-request',
      'The request must name one host, such as "Host: know.example.org".',
    );
  }
  next();
};
