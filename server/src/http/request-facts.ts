import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '@knowhow/shared/problem';
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
  /** Code of the problem that was answered. */
  code?: ProblemCode;
}

const known = new WeakMap<Request, RequestFacts>();

/** Characters and length of a request ID that proxies commonly send. */
const requestIdPattern = /^[\w.:+/=@-]{1,128}$/;

/** Gives each request an ID: the `X-Request-Id` of a trusted proxy if it is well formed, otherwise a new one. */
export const nameRequest: RequestHandler = (request, response, next) => {
  const sent = request.get('X-Request-Id');
  const isKept = sent !== undefined && requestIdPattern.test(sent) && isFromTrustedProxy(request);
  const id = isKept ? sent : randomUUID();
  known.set(request, { request: id });
  response.setHeader('X-Request-Id', id);
  next();
};

/** Whether the connection comes from a proxy that `TRUST_PROXY` trusts. */
export function isFromTrustedProxy(request: Request): boolean {
  const isTrusted: (address: string, hop: number) => boolean = request.app.get('trust proxy fn');
  return isTrusted(request.socket.remoteAddress ?? '', 0);
}

export function factsOf(request: Request): RequestFacts {
  return known.get(request) ?? { request: 'unnamed' };
}

/** Adds what has been found out of a request; gives all that is known. */
export function addFacts(request: Request, found: Partial<RequestFacts>): RequestFacts {
  const facts = { ...factsOf(request), ...found };
  known.set(request, facts);
  return facts;
}
