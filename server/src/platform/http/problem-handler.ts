import { type Problem, problem } from '@knowhow/shared/problem';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { errorCode } from '../lib/error-code.ts';
import type { Log } from '../lib/log.ts';
import { databaseProblem } from '../storage/database-problem.ts';
import { addressBlock } from './address-block.ts';
import { closeConnectionAfter, hasBody } from './close-connection-after.ts';
import type { DeniedRequest } from './denied-request.ts';
import { tooComplexErrorType } from './json-body.ts';
import { getDenialCode, getRoute } from './observe-requests.ts';
import { addLogFields, getLogFields, type RequestLogFields } from './request-log-fields.ts';
import { findCaller } from './session.ts';

/** Responds with `not-found` to paths of programs that match no contract. */
export const unknownRoute: RequestHandler = (request) => {
  const path = request.baseUrl + request.path;
  throw problem('not-found', `There is nothing at ${request.method} ${path}.`);
};

/** Express setting: the `ProblemFormat`s of paths whose protocol has its own error format. */
export const problemFormats = 'problem formats';

export interface ProblemFormat {
  /** Prefix of the paths. */
  path: string;
  /** The media type of the body. */
  type: string;
  describe(known: Problem): string;
}

/** Called for each request that is denied access, before the response. */
export type RecordDenial = (denied: DeniedRequest, known: Problem) => Promise<void>;

interface Dependencies {
  log: Log;
  recordDenial: RecordDenial;
}

/** Converts any error to problem details (RFC 9457). Must be the last handler. */
export function problemHandler({ log, recordDenial }: Dependencies): ErrorRequestHandler {
  return async (error: unknown, request, response, _next) => {
    if (response.writableEnded) {
      return;
    }
    if (response.headersSent) {
      log.error({ error, ...logContext(request) }, 'a response was cut off');
      response.destroy();
      return;
    }
    const gone = vanishedFileProblem(request, error);
    if (gone) {
      // Logged each time: a file that is permanently missing is a defect, and looks the same.
      log.warn({ error, ...logContext(request) }, 'a file disappeared before it was read');
    }
    const known = gone ?? problemFrom(error);
    if (known.code === 'internal' || known.code === 'not-writable') {
      log.error({ error, ...logContext(request) }, 'a request failed');
    }
    addLogFields(request, { code: known.code, hidesNothing: known.hidesNothing });
    const denied = findDenial(request);
    if (denied) {
      // Before the response, so that its reader finds the audit entry.
      await recordDenial(denied, known);
    }
    sendProblem(response, known);
  };
}

/** The request as denied; undefined unless its problem denies access. */
function findDenial(request: Request): DeniedRequest | undefined {
  const reason = getDenialCode(request);
  if (reason === undefined) {
    return undefined;
  }
  const caller = findCaller(request);
  const user = caller === undefined || caller.anonymous ? undefined : caller;
  const { method } = request;
  return { user, address: addressBlock(request), method, route: getRoute(request), reason };
}

/** The route pattern, not the path: a path may contain a token. */
function logContext(
  request: Request,
): RequestLogFields & { method: string; route: string | undefined } {
  return { ...getLogFields(request), method: request.method, route: getRoute(request) };
}

/** Closes the connection if the request was not read completely. */
export function sendProblem(response: Response, known: Problem): void {
  const { req: request } = response;
  if (hasBody(request) && !request.complete) {
    closeConnectionAfter(response);
  }
  if (known.retryAfter !== undefined) {
    response.setHeader('Retry-After', Math.ceil(known.retryAfter));
  }
  const formats: readonly ProblemFormat[] = request.app.get(problemFormats);
  const format = formats.find(({ path }) => request.originalUrl.startsWith(path));
  response
    .status(known.status)
    .type(format ? format.type : 'application/problem+json')
    .send(format ? format.describe(known) : JSON.stringify(known.toBody()));
}

/** A file that was deleted, moved or replaced between the access check and the read. */
function vanishedFileProblem({ method }: Request, error: unknown): Problem | undefined {
  const isGone = ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '');
  return isGone && ['GET', 'HEAD'].includes(method)
    ? problem('not-found', 'It was just deleted or moved. Reload the list.', {
        cause: error,
      })
    : undefined;
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
    case tooComplexErrorType:
      return problem('too-large', 'The body has too many values, or too many levels.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return problem('unsupported-type', 'The body must be JSON in UTF-8.');
  }
  const status = getStatus(error);
  if (status === 404) {
    return problem('not-found', 'This address does not exist.');
  }
  if (error instanceof URIError || (status !== undefined && status >= 400 && status < 500)) {
    return problem('bad-request', 'The request is malformed.');
  }
  return problem('internal', 'Internal server error. See the server log.', {
    cause: error,
  });
}

/** The status that Express or its parsers attach to a client error. */
function getStatus(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}
