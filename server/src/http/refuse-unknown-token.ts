import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';
import { bearerOf } from './cookies/bearer-of.ts';
import { sessionOf } from './session.ts';

/** A program whose token has expired is told, and does not become a guest. */
export const refuseUnknownToken: RequestHandler = (request, response, next) => {
  const { isNewVisitor, caller } = sessionOf(request);
  const isUnknown = isNewVisitor && bearerOf(request) !== undefined;
  if (isUnknown || !caller.mayUse) {
    response.set('WWW-Authenticate', 'Bearer');
  }
  if (isUnknown) {
    throw problem('not-signed-in', 'This token is not known, or not any more.');
  }
  next();
};
