import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';

/** What each line of the log says of the request it is about. */
export interface RequestFacts {
  /** Stands in the answer's `X-Request-Id` too. */
  request: string;
  /** Id of the caller. */
  user?: string;
  conversation?: string;
  /** Of the trace that it is a part of, where traces are wanted: the name that tools for logs know. */
  trace_id?: string;
  model?: string;
}

const known = new WeakMap<Request, RequestFacts>();

/** Gives each request its name. */
export const nameRequest: RequestHandler = (request, response, next) => {
  const id = randomUUID();
  known.set(request, { request: id });
  response.setHeader('X-Request-Id', id);
  next();
};

export function factsOf(request: Request): RequestFacts {
  return known.get(request) ?? { request: 'unnamed' };
}

/** Adds what has been found out of a request; gives all that is known. */
export function addFacts(request: Request, found: Partial<RequestFacts>): RequestFacts {
  const facts = { ...factsOf(request), ...found };
  known.set(request, facts);
  return facts;
}
