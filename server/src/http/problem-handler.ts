import { type Problem, problem } from '@knowhow/shared/problem';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { AccessAudit } from '../access/access-audit.ts';
import { isSignInRefusal } from '../access/sign-in-audit.ts';
import { errorCode } from '../lib/error-code.ts';
import type { Log } from '../lib/log.ts';
import { openAiError } from '../openai-api/openai-error.ts';
import { databaseProblem } from '../storage/database-problem.ts';
import { addressBlock } from './address-block.ts';
import { announcesBody, closeAfter } from './close-after.ts';
import { tooComplex } from './json-body.ts';
import { denialOf, routeOf } from './observe-requests.ts';
import { addFacts, factsOf, type RequestFacts } from './request-facts.ts';
import { knownCaller } from './session.ts';

/** For every address below `/api` and `/v1` that no contract names. */
export const unknownAddress: RequestHandler = (request) => {
  const path = request.baseUrl + request.path;
  throw problem('not-found', `There is nothing at ${request.method} ${path}.`);
};

/** Turns whatever was thrown into problem details. The last of all handlers. */
export function problemHandler(log: Log, accessAudit: AccessAudit): ErrorRequestHandler {
  return async (error: unknown, request, response, _next) => {
    if (response.writableEnded) {
      return;
    }
    if (response.headersSent) {
      log.error({ error, ...about(request) }, 'an answer was cut off');
      response.destroy();
      return;
    }
    const gone = goneMeanwhile(request, error);
    if (gone) {
      // Said each time: what is missing for good is a fault, and looks the same.
      log.warn({ error, ...about(request) }, 'a file was gone when it was to be read');
    }
    const known = gone ?? problemFrom(error);
    if (known.code === 'internal' || known.code === 'not-writable') {
      log.error({ error, ...about(request) }, 'a request failed');
    }
    addFacts(request, { code: known.code });
    await auditDenial(accessAudit, request, known);
    sendProblem(response, known);
  };
}

/** Runs before the answer is sent, so that its reader finds the entry. */
async function auditDenial(audit: AccessAudit, request: Request, known: Problem): Promise<void> {
  const { method } = request;
  const reason = denialOf(request);
  if (reason === undefined || isSignInRefusal(known)) {
    return;
  }
  const caller = knownCaller(request);
  const user = caller === undefined || caller.anonymous ? undefined : caller;
  const address = addressBlock(request);
  await audit.denied({ user, address, method, route: routeOf(request), reason });
}

/** The route pattern, not the path: a path may contain a token. */
function about(request: Request): RequestFacts & { method: string; route: string | undefined } {
  return { ...factsOf(request), method: request.method, route: routeOf(request) };
}

/** Ends the connection where the request has not been read to its end. */
export function sendProblem(response: Response, known: Problem): void {
  const { req: request } = response;
  if (announcesBody(request) && !request.complete) {
    closeAfter(response);
  }
  if (known.retryAfter !== undefined) {
    response.setHeader('Retry-After', Math.ceil(known.retryAfter));
  }
  const isForOpenAi = request.originalUrl.startsWith('/v1/');
  response
    .status(known.status)
    .type(isForOpenAi ? 'application/json' : 'application/problem+json')
    .send(JSON.stringify(isForOpenAi ? openAiError(known) : known.toBody()));
}

/** What was there when a reader's access was checked, and was deleted, moved or replaced before it was read. */
function goneMeanwhile({ method }: Request, error: unknown): Problem | undefined {
  const isGone = ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '');
  return isGone && ['GET', 'HEAD'].includes(method)
    ? problem('not-found', 'It was deleted or moved just now. Look at the list again.', {
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
    case tooComplex:
      return problem('too-large', 'The body has too many values, or too many levels.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return problem('unsupported-type', 'The body must be JSON in UTF-8.');
  }
  const status = statusOf(error);
  if (status === 404) {
    return problem('not-found', 'There is nothing at this address.');
  }
  if (error instanceof URIError || (status !== undefined && status >= 400 && status < 500)) {
    return problem('bad-request', 'The request is not well formed.');
  }
  return problem('internal', 'Something went wrong on the server. Its log says what.', {
    cause: error,
  });
}

/** What Express and its parsers say of an error that is the caller's. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}
