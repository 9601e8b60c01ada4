import { type Problem, problem } from '@knowhow/shared/problem';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Log } from '../lib/log.ts';
import { databaseProblem } from '../storage/database-problem.ts';

/** For every address below `/api` that no contract names. */
export const unknownAddress: RequestHandler = (request) => {
  const path = request.baseUrl + request.path;
  throw problem('not-found', `There is nothing at ${request.method} ${path}.`);
};

/** Turns whatever was thrown into problem details. The last of all handlers. */
export function problemHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const known = problemFrom(error);
    if (known.code === 'internal' || known.code === 'not-writable') {
      log.error({ error, method: request.method, path: request.path }, 'a request failed');
    }
    sendProblem(response, known);
  };
}

function sendProblem(response: Response, known: Problem): void {
  if (known.retryAfter !== undefined) {
    response.setHeader('Retry-After', Math.ceil(known.retryAfter));
  }
  response
    .status(known.status)
    .type('application/problem+json')
    .send(JSON.stringify(known.toBody()));
}

function problemFrom(error: unknown): Problem {
  const known = databaseProblem(error);
  if (known) {
    return known;
  }
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.parse.failed':
      return problem('bad-request', 'The body is not valid JSON.');
    case 'entity.too.large':
      return problem('too-large', 'The body is too large.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return problem('unsupported-type', 'The body must be JSON in UTF-8.');
  }
  if (error instanceof URIError || statusOf(error) === 400) {
    return problem('bad-request', 'The request is not well formed.');
  }
  return problem('internal', 'Something went wrong on the server. Its log says what.', {
    cause: error,
  });
}

/** What Express and its parsers say of an error that is the caller's. */
function statusOf(error: unknown): unknown {
  return error instanceof Error && 'status' in error ? error.status : undefined;
}
