import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { isFromTrustedProxy } from './trusted-proxy.ts';

/** Log fields of the current request. */
export interface RequestLogFields {
  /** Also in the response header `X-Request-Id`. */
  request: string;
  /** ID of the caller. */
  user?: string;
  conversation?: string;
  /** ID of the trace, if tracing is on, under the name that log tools expect. */
  trace_id?: string;
  model?: string;
  /** Code of the problem response. */
  code?: ProblemCode;
  /** Whether the problem denies no access, although its code could. */
  hidesNothing?: boolean;
}

const fieldsByRequest = new WeakMap<Request, RequestLogFields>();

/** Characters and length of a request ID that proxies commonly send. */
const requestIdPattern = /^[\w.:+/=@-]{1,128}$/;

/**
 * Assigns each request an ID: the `X-Request-Id` of a trusted proxy if it is well formed, otherwise a new
 * one.
 */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const sent = request.get('X-Request-Id');
  const isKept = sent !== undefined && requestIdPattern.test(sent) && isFromTrustedProxy(request);
  const id = isKept ? sent : randomUUID();
  fieldsByRequest.set(request, { request: id });
  response.setHeader('X-Request-Id', id);
  next();
};

export function getLogFields(request: Request): RequestLogFields {
  return fieldsByRequest.get(request) ?? { request: 'unnamed' };
}

/** Adds log fields to a request; returns all of them. */
export function addLogFields(request: Request, found: Partial<RequestLogFields>): RequestLogFields {
  const facts = { ...getLogFields(request), ...found };
  fieldsByRequest.set(request, facts);
  return facts;
}
