import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { bearerOf } from './cookies/bearer-of.ts';
import { sessionOf } from './session.ts';

/**
 * A program whose token has expired is told, and does not become a guest.
 *
 * @param metadataOf the address of a document that says who makes tokens; undefined for none
 */
export function refuseUnknownToken(
  metadataOf: (request: Request) => string | undefined = () => undefined,
): RequestHandler {
  return (request, response, next) => {
    const { isNewVisitor, caller } = sessionOf(request);
    const isUnknown = isNewVisitor && bearerOf(request) !== undefined;
    if (isUnknown || !caller.mayUse) {
      const metadata = metadataOf(request);
      const where = metadata === undefined ? '' : ` resource_metadata="${metadata}"`;
      const error = isUnknown ? `${where === '' ? '' : ','} error="invalid_token"` : '';
      response.set('WWW-Authenticate', `Bearer${where}${metadata === undefined ? '' : error}`);
    }
    if (isUnknown) {
      throw problem('not-signed-in', 'This token is not known, or not any more.');
    }
    next();
  };
}
